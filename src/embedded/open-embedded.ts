import { join } from "node:path";
import type { Access } from "./app.ts";
import { findRunningServe } from "./discovery.ts";
import type { Random } from "./random-id.ts";
import { startEmbedded } from "./start-embedded.ts";

export interface OpenedEmbedded {
  /** With /v1. */
  readonly url: string;
  /** Of the least scope that the access needs. */
  readonly key: string;
  /** Ends what was started for this; a `plancast serve` that was there goes on. */
  close(): Promise<void>;
}

/** The least scope that an access needs. */
const SCOPES = { "read-only": "read", "read-write": "write", admin: "admin" } as const;

/** Where a project's embedded service keeps its store. */
export function embeddedFolder(root: string): string {
  return join(root, ".plancast", "embedded");
}

/**
 * The embedded service of the project at `root`: its `plancast serve` if one runs, else one within this process, on
 * a port that is free. `clock` gives Unix time, ms. Throws as startEmbedded does.
 */
export async function openEmbedded(
  root: string,
  access: Access | "admin",
  clock: () => number,
  random: Random,
): Promise<OpenedEmbedded> {
  const scope = SCOPES[access];
  const running = await findRunningServe(root);
  if (running !== undefined) {
    return { url: running.url, key: running.keys[scope], close: () => Promise.resolve() };
  }
  const own = await startEmbedded({
    folder: embeddedFolder(root),
    access: access === "read-only" ? access : "read-write",
    plan: "business",
    random,
    now: clock,
  });
  return { url: own.url, key: own.keys[scope], close: () => own.close() };
}
