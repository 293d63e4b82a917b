/** Opens a project's embedded service: the running `plancast serve`, or one of this process's own on the same store. */

import { Agent, fetch } from "undici";
import { z } from "zod";
import { readRegular, removeFile, writeAtomic } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { isRunning, processIdentitySchema, thisProcess } from "../disk/process-lock.ts";
import type { StateFolder } from "../disk/state-folder.ts";
import type { EmbeddedService, ServiceAccess } from "../service/connect/open-service.ts";
import type { ApiKeys } from "./routes/api-keys.ts";
import { type RunningService, startEmbedded } from "./start-embedded.ts";
import type { Random } from "./store/records.ts";

/** The least scope that an access needs. */
const SCOPES = { "read-only": "read", "read-write": "write", admin: "admin" } as const;

/** Where a project's embedded service keeps its store. */
export function embeddedFolder(state: StateFolder): Place {
  return state.in("embedded");
}

/**
 * The embedded service of a project: its `plancast serve` if one runs, else one within this process, on
 * a port that is free. Closing it ends what was started for this; a `plancast serve` goes on. `clock` gives Unix time, ms. Throws as startEmbedded does.
 */
export async function openEmbedded(
  state: StateFolder,
  access: ServiceAccess,
  clock: () => number,
  random: Random,
): Promise<EmbeddedService> {
  const scope = SCOPES[access];
  const running = await findRunningServe(state);
  if (running !== undefined) {
    return { url: running.url, key: running.keys[scope], close: () => Promise.resolve() };
  }
  const own = await startEmbedded({
    folder: embeddedFolder(state),
    access: access === "read-only" ? access : "read-write",
    plan: "business",
    random,
    now: clock,
  });
  return { url: own.url, key: own.keys[scope], close: () => own.close() };
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

function serveFile(state: StateFolder): Place {
  return state.in("serve.json");
}

/** Lets the project's other commands find the service; the result undoes that. */
export async function announceServe(
  state: StateFolder,
  { url, keys }: ServeAddress,
): Promise<() => Promise<void>> {
  const place = serveFile(state);
  const { pid, startedAt } = await thisProcess();
  await writeAtomic(place, `${JSON.stringify({ url, keys, pid, startedAt })}\n`, { mode: 0o600 });
  return () => removeFile(place);
}

/** The project's `plancast serve`, if one runs and answers. Touches nothing. */
export async function findRunningServe(state: StateFolder): Promise<ServeAddress | undefined> {
  const found = await readServeFile(state);
  if (found === undefined || !(await isRunning(found))) return undefined;
  const { url, keys } = found;
  return (await isResponding(url, keys)) ? { url, keys } : undefined;
}

async function readServeFile(state: StateFolder): Promise<z.infer<typeof serveSchema> | undefined> {
  try {
    return serveSchema.parse(JSON.parse((await readRegular(serveFile(state))).toString("utf8")));
  } catch {
    // No file, or none that a serve wrote: then none is running that could be talked to.
    return undefined;
  }
}

async function isResponding(url: string, keys: ApiKeys): Promise<boolean> {
  const direct = new Agent();
  try {
    const response = await fetch(`${url}/platforms`, {
      // Its own window of the rate limit: plans use the read key, applies the write key.
      headers: { authorization: `Bearer ${keys.admin}` },
      redirect: "error",
      // Node's own `fetch` may be set to send everything to a proxy.
      dispatcher: direct,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    // Too many requests is an answer too.
    return response.ok || response.status === 429;
  } catch {
    return false;
  } finally {
    await direct.destroy();
  }
}
