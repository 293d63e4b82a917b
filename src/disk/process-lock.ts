/**
 * Locks that one process at a time holds, and how a process is identified, so that a file that outlives it can show
 * whether it still runs. A process number is not enough, because systems reuse numbers. If /proc is available, the time
 * of the start since boot distinguishes two processes with one number. Processes that cannot see each other (containers
 * that share a folder) count each other as dead.
 */

import { basename } from "node:path";
import { z } from "zod";
import { errorCode } from "../model/failure.ts";
import { createWhole, readRegular, removeFile, writeAtomic } from "./files.ts";
import { machineOf, newId, readFile } from "./machine.ts";
import type { Place } from "./place.ts";

export const processIdentitySchema = z.object({
  pid: z.int().positive(),
  /** Boot id and clock tick of the start, from the kernel; null if unavailable. Used only for comparisons. */
  startedAt: z.string().nullable(),
});

type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** The process that runs this code. @param machine Default: the one that runs this code */
export async function thisProcess({ pid } = machineOf("/")): Promise<ProcessIdentity> {
  const seen = await probe(pid);
  return { pid, startedAt: seen === undefined ? null : seen.startedAt };
}

/** Whether exactly this process still runs. A zombie does not. @param machine as for `thisProcess` */
export async function isRunning(identity: ProcessIdentity, machine = machineOf("/")): Promise<boolean> {
  if (!machine.hasProcess(identity.pid)) return false;
  const seen = await probe(identity.pid);
  if (seen === undefined) return true;
  return !seen.ended && (identity.startedAt === null || seen.startedAt === identity.startedAt);
}

/** Fields of /proc/PID/stat after the name, which is in brackets and may hold any character. See proc(5). */
const STATE = 0;
const START_TIME = 19;

async function probe(pid: number): Promise<{ startedAt: string; ended: boolean } | undefined> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ended = fields[STATE] === "Z" || fields[STATE] === "X";
    return { startedAt: `${boot.trim()}:${fields[START_TIME] ?? ""}`, ended };
  } catch {
    return undefined;
  }
}

// A lock file that one process at a time holds. A dead process does not keep it.
//
// The file appears with its full content, or not at all if it exists already. A process that finds the lock of a dead
// one may replace it only while it holds a second lock. That lock is named after the token of the first
// (`owner.json.TOKEN`). So two processes never both replace the same lock, and a late one finds another token and
// starts again. The second lock works the same way, so a process that dies during the takeover leaves nothing behind.

const ownerSchema = processIdentitySchema.extend({
  /** Identifies this one acquisition of the lock. */
  token: z.uuid(),
  /** Data from the owner for others that find the lock, for example its address. */
  info: z.record(z.string(), z.string()),
});

export type LockOwner = z.infer<typeof ownerSchema>;
type LockInfo = LockOwner["info"];

/** The lock is held. `owner` is undefined if plancast cannot read the file; then only a person can decide. */
export class LockHeld extends Error {
  readonly owner: LockOwner | undefined;

  constructor({ path }: Place, owner: LockOwner | undefined) {
    super(
      owner === undefined
        ? `${path} is not a lock file that plancast can read. Remove it if no plancast is running.`
        : `Process ${owner.pid} holds ${path}.`,
    );
    this.name = "LockHeld";
    this.owner = owner;
  }
}

export interface ProcessLock {
  /** Replaces the data from the owner. */
  update(info: LockInfo): Promise<void>;
  /** Whether the file is still ours. A process that cannot see this one may have replaced it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** A lock that others take and release during the check is read again. After this many times, it counts as held. */
const MAX_TRIES = 50;

/**
 * Takes the lock at a place. Throws LockHeld while a running process holds it, this one included, and the file system's
 * error if the file cannot be written.
 */
export async function acquireProcessLock(place: Place, info: LockInfo = {}): Promise<ProcessLock> {
  const machine = machineOf(place.path);
  const mine: LockOwner = { ...(await thisProcess(machine)), token: newId(place.path), info };
  let owner: LockOwner | undefined;
  for (let look = 0; look < MAX_TRIES; look += 1) {
    if (await createWhole(place, textOf(mine))) return lockHandle(place, mine);
    const found = await readOwner(place);
    if (found === "none") continue;
    if (found === "unreadable") throw new LockHeld(place, undefined);
    owner = found;
    if (await isRunning(owner, machine)) throw new LockHeld(place, owner);
    if (await takeOver(place, owner, mine)) return lockHandle(place, mine);
  }
  throw new LockHeld(place, owner);
}

/** The owner of the lock at a place, and whether that process still runs; undefined if there is no lock. */
export async function readProcessLock(
  place: Place,
): Promise<{ readonly owner: LockOwner; readonly running: boolean } | undefined> {
  const owner = await readOwner(place);
  if (owner === "none") return undefined;
  if (owner === "unreadable") throw new LockHeld(place, undefined);
  return { owner, running: await isRunning(owner, machineOf(place.path)) };
}

/**
 * Returns false if somebody has replaced the dead lock since. Throws LockHeld while another process takes it over.
 */
async function takeOver(place: Place, dead: LockOwner, mine: LockOwner): Promise<boolean> {
  const right = await acquireProcessLock(place.beside(`${basename(place.path)}.${dead.token}`));
  try {
    const found = await readOwner(place);
    if (typeof found === "string" || found.token !== dead.token) return false;
    await writeAtomic(place, textOf(mine));
    return true;
  } finally {
    await right.release();
  }
}

function lockHandle(place: Place, mine: LockOwner): ProcessLock {
  const isHeld = async (): Promise<boolean> => {
    const found = await readOwner(place);
    return typeof found !== "string" && found.token === mine.token;
  };
  return {
    update: (info) => writeAtomic(place, textOf({ ...mine, info })),
    isHeld,
    async release() {
      // If somebody removed the file by hand, it may belong to another process now.
      if (await isHeld()) await removeFile(place);
    },
  };
}

function textOf(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

async function readOwner(place: Place): Promise<LockOwner | "none" | "unreadable"> {
  let text: string;
  try {
    text = (await readRegular(place)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "none";
    throw error;
  }
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return "unreadable";
  }
}
