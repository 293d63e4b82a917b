/** Opens a project's embedded service: the running `plancast serve`, or a new one in this process on the same store. */

import { Agent, fetch } from "undici";
import { z } from "zod";
import type { Random } from "../model/random.ts";
import { readRegular, removeFile, writeAtomic } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { isRunning, processIdentitySchema, thisProcess } from "../disk/process-lock.ts";
import type { StateFolder } from "../disk/state-folder.ts";
import type { EmbeddedService, ServiceAccess } from "../service/connect/open-service.ts";
import { accountNames } from "../networks/open-accounts.ts";
import type { Project } from "../settings/config.ts";
import { accountsOf } from "./publishing/accounts.ts";
import { CONTROL_PATH } from "./publishing/paths.ts";
import { Failure } from "../model/failure.ts";
import type { Env } from "../settings/environment.ts";
import { bucketOf } from "./store/bucket-address.ts";
import type { Database } from "./store/database.ts";
import { type RunningService, startEmbedded } from "./start-embedded.ts";

/** The smallest scope that an access needs. */
const SCOPES = { "read-only": "read", "read-write": "write", admin: "admin" } as const;

/** What the embedded service needs of a project. */
type EmbeddedProject = Pick<Project, "state"> & {
  readonly config: Pick<Project["config"], "accounts"> & {
    readonly service: Pick<Project["config"]["service"], "plan">;
  };
};

/**
 * The database of a project, if the environment names one. Throws a Failure if the project has no name in it.
 * @param env of the command
 */
export function databaseOf(
  env: Env,
  { config, file }: Pick<Project, "config" | "file">,
): Database | undefined {
  const url = env["PLANCAST_DATABASE_URL"];
  if (!url) return undefined;
  const { project } = config;
  if (project !== undefined) return { url, project, bucket: bucketOf(env, project) };
  throw new Failure(
    "store/no-project",
    "PLANCAST_DATABASE_URL is set, but the project has no name in the database.",
    `Add a line such as \`project: garden\` to ${file}. Use the same name on each machine.`,
  );
}

/** The folder of a project's embedded store. */
export function embeddedFolder(state: StateFolder): Place {
  return state.in("embedded");
}

/**
 * The embedded service of a project: its `plancast serve` if one runs, otherwise one in this process on a free port.
 * Closing it stops only what was started here, never a `plancast serve`. Only a `plancast serve` publishes on real
 * accounts. `clock` returns Unix time, in ms. Throws like startEmbedded.
 */
export async function openEmbedded(
  { state, config }: EmbeddedProject,
  access: ServiceAccess,
  clock: () => number,
  random: Random,
  database?: Database,
): Promise<EmbeddedService> {
  const scope = SCOPES[access];
  const running = await findRunningServe(state, clock);
  if (running !== undefined) {
    const { url, keys, aheadMs } = running;
    return { url, key: keys[scope], aheadMs, close: () => Promise.resolve() };
  }
  const own = await startEmbedded({
    folder: embeddedFolder(state),
    database,
    access: access === "read-only" ? access : "read-write",
    plan: config.service.plan,
    random,
    now: clock,
    accounts: accountsOf(accountNames(config.accounts)),
  });
  return { url: own.url, key: own.keys[scope], aheadMs: 0, close: () => own.close() };
}

/** The file with the address and the keys of the project's `plancast serve`. Only its user can read it. */
const serveSchema = processIdentitySchema.extend({
  // Only addresses of this machine, so that keys and posts never leave it, whatever the file says.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/v1$/),
  keys: z.object({ read: z.string(), write: z.string(), admin: z.string() }),
});

/** The address and the keys of a `plancast serve`. */
export type ServeAddress = Pick<RunningService, "url" | "keys">;

/** A service on the same machine answers immediately, unless it hangs. Milliseconds. */
const PROBE_TIMEOUT_MS = 3_000;

function serveFile(state: StateFolder): Place {
  return state.in("serve.json");
}

/** Publishes the service for the project's other commands. The returned function undoes that. */
export async function announceServe(
  state: StateFolder,
  { url, keys }: ServeAddress,
): Promise<() => Promise<void>> {
  const place = serveFile(state);
  const { pid, startedAt } = await thisProcess();
  await writeAtomic(place, `${JSON.stringify({ url, keys, pid, startedAt })}\n`, { mode: 0o600 });
  return async () => {
    // If another process took over the store, the file may name its service.
    if ((await readServeFile(state))?.url === url) await removeFile(place);
  };
}

/** A running `plancast serve`, and how far its clock is ahead of this machine's, in ms. */
interface RunningServe extends ServeAddress {
  readonly aheadMs: number;
}

/** The project's `plancast serve`, if one runs and answers. Changes nothing. `clock` returns Unix time, in ms. */
export async function findRunningServe(
  state: StateFolder,
  clock: () => number = Date.now,
): Promise<RunningServe | undefined> {
  const found = await readServeFile(state);
  if (found === undefined || !(await isRunning(found))) return undefined;
  const { url, keys } = found;
  const now = await askTime({ url, keys });
  return now === undefined ? undefined : { url, keys, aheadMs: aheadOf(now, clock()) };
}

/** If nobody moved a clock, the clocks differ by less than this, in ms: the time of an answer. */
const SAME_TIME_MS = 2_000;

function aheadOf(theirs: number, ours: number): number {
  const ahead = theirs - ours;
  return Math.abs(ahead) <= SAME_TIME_MS ? 0 : ahead;
}

async function readServeFile(state: StateFolder): Promise<z.infer<typeof serveSchema> | undefined> {
  try {
    return serveSchema.parse(JSON.parse((await readRegular(serveFile(state))).toString("utf8")));
  } catch {
    // No file, or an invalid one: no reachable serve is running.
    return undefined;
  }
}

const clockAnswer = z.object({ now: z.iso.datetime() });

/** The time of a running service, in ms; undefined if none answers. */
async function askTime({ url, keys }: ServeAddress): Promise<number | undefined> {
  const direct = new Agent();
  try {
    const response = await fetch(new URL(`${CONTROL_PATH}/clock`, url), {
      // Not counted by the rate limit.
      headers: { authorization: `Bearer ${keys.admin}` },
      redirect: "error",
      // Node's own `fetch` may be configured to use a proxy for everything.
      dispatcher: direct,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return Date.parse(clockAnswer.parse(await response.json()).now);
  } catch {
    return undefined;
  } finally {
    await direct.destroy();
  }
}
