/** Opens a project's embedded service: the running `plancast serve`, or one of this process's own on the same store. */

import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { EmbeddedService, ServiceAccess } from "../service/connect/open-service.ts";
import { writeAtomic } from "../sync/state/durable-files.ts";
import { isRunning, processIdentitySchema, thisProcess } from "../sync/state/process-lock.ts";
import { CONTROL_PATH } from "./publishing/paths.ts";
import { type RunningService, startEmbedded } from "./start-embedded.ts";
import type { Random } from "./store/records.ts";

/** The least scope that an access needs. */
const SCOPES = { "read-only": "read", "read-write": "write", admin: "admin" } as const;

/** Where a project's embedded service keeps its store. */
export function embeddedFolder(root: string): string {
  return join(root, ".plancast", "embedded");
}

/**
 * The embedded service of the project at `root`: its `plancast serve` if one runs, else one within this process, on
 * a port that is free. Closing it ends what was started for this; a `plancast serve` goes on. `clock` gives Unix time, ms. Throws as startEmbedded does.
 */
export async function openEmbedded(
  root: string,
  access: ServiceAccess,
  clock: () => number,
  random: Random,
): Promise<EmbeddedService> {
  const scope = SCOPES[access];
  const running = await findRunningServe(root, clock);
  if (running !== undefined) {
    const { url, keys, aheadMs } = running;
    return { url, key: keys[scope], aheadMs, close: () => Promise.resolve() };
  }
  const own = await startEmbedded({
    folder: embeddedFolder(root),
    access: access === "read-only" ? access : "read-write",
    plan: "business",
    random,
    now: clock,
  });
  return { url: own.url, key: own.keys[scope], aheadMs: 0, close: () => own.close() };
}

/** The file that says where the project's `plancast serve` listens, and with which keys. Only its user can read it. */
const serveSchema = processIdentitySchema.extend({
  // Loopback alone: keys and posts go nowhere else, whoever wrote the file.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/v1$/),
  keys: z.object({ read: z.string(), write: z.string(), admin: z.string() }),
});

/** Where a `plancast serve` listens, and with which keys. */
export type ServeAddress = Pick<RunningService, "url" | "keys">;

/** A service on the same machine answers at once, unless it hangs. Milliseconds. */
const PROBE_TIMEOUT_MS = 3_000;

function serveFile(root: string): string {
  return join(root, ".plancast", "serve.json");
}

/** Lets the project's other commands find the service; the result undoes that. */
export async function announceServe(root: string, { url, keys }: ServeAddress): Promise<() => Promise<void>> {
  const path = serveFile(root);
  const { pid, startedAt } = await thisProcess();
  await writeAtomic(path, `${JSON.stringify({ url, keys, pid, startedAt })}\n`, dirname(path), 0o600);
  return () => rm(path, { force: true });
}

/** A `plancast serve` that runs, and how far its clock is ahead of this machine's, ms. */
interface RunningServe extends ServeAddress {
  readonly aheadMs: number;
}

/** The project's `plancast serve`, if one runs and answers. Touches nothing. `clock` gives Unix time, ms. */
export async function findRunningServe(
  root: string,
  clock: () => number = Date.now,
): Promise<RunningServe | undefined> {
  const found = await readServeFile(root);
  if (found === undefined || !(await isRunning(found))) return undefined;
  const { url, keys } = found;
  const now = await askTime({ url, keys });
  return now === undefined ? undefined : { url, keys, aheadMs: aheadOf(now, clock()) };
}

/** Clocks that were not moved differ by no more than an answer takes, ms. */
const SAME_TIME_MS = 2_000;

function aheadOf(theirs: number, ours: number): number {
  const ahead = theirs - ours;
  return Math.abs(ahead) <= SAME_TIME_MS ? 0 : ahead;
}

async function readServeFile(root: string): Promise<z.infer<typeof serveSchema> | undefined> {
  try {
    return serveSchema.parse(JSON.parse(await readFile(serveFile(root), "utf8")));
  } catch {
    // No file, or none that a serve wrote: then none is running that could be talked to.
    return undefined;
  }
}

const clockAnswer = z.object({ now: z.iso.datetime() });

/** The time of a service that runs, ms; undefined where none answers. */
async function askTime({ url, keys }: ServeAddress): Promise<number | undefined> {
  try {
    const response = await fetch(new URL(`${CONTROL_PATH}/clock`, url), {
      // Not counted against the rate limit.
      headers: { authorization: `Bearer ${keys.admin}` },
      redirect: "error",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return Date.parse(clockAnswer.parse(await response.json()).now);
  } catch {
    return undefined;
  }
}
