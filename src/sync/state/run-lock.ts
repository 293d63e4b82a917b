/**
 * Allows one run at a time to change a project, by locks that dead processes do not keep. One lock is in the
 * project's folder, for the processes of this machine. If machines share a Redis, another is there for all of them.
 */

import { makeFolder, removeAbandoned } from "../../disk/files.ts";
import {
  type LockOwner,
  type ProcessLock,
  LockHeld,
  acquireProcessLock,
  readProcessLock,
} from "../../disk/process-lock.ts";
import { type StateFolder, STATE_FOLDER } from "../../disk/state-folder.ts";
import { type Clock, durationOf } from "../../model/clock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { LeaseHolder, RunLease } from "../../service/share/run-lease.ts";

const RETRY_MS = 500;

/** The owner of the lock, and how long to wait for another run. */
export interface LockOptions {
  /** The command as people type it after `plancast`. */
  readonly command: string;
  /** It has the flag `--lock-timeout`. */
  readonly canWait: boolean;
  /** Local ms. */
  readonly until: number;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Called once, when it waits for another run. */
  readonly onWait: () => void;
}

/** Does not wait for another run. */
export function withoutWaiting(
  command: string,
  { clock, stop }: Pick<LockOptions, "clock" | "stop">,
): LockOptions {
  return { command, canWait: false, until: clock.now(), clock, stop, onWait: () => {} };
}

/** The time at which `--lock-timeout` (such as `5m`) ends, in ms. Throws a Failure if it is not a duration. */
export function lockDeadline(timeout: string, clock: Clock): number {
  const waitMs = durationOf(timeout);
  if (waitMs !== undefined) return clock.now() + waitMs;
  throw new Failure(
    "usage/arguments",
    `--lock-timeout ${JSON.stringify(timeout)} is not a duration.`,
    "Write it like 90s or 5m.",
  );
}

/** Takes the run lock of the project's folder. Throws a Failure that names the holder and the time. */
export function acquireRunLock(state: StateFolder, lockOptions: LockOptions): Promise<ProcessLock> {
  return waitUntilFree(async () => {
    try {
      return await takeLock(state, lockOptions);
    } catch (error) {
      if (error instanceof LockHeld) return lockedFailure(error, lockOptions);
      throw lockNotWritable(error);
    }
  }, lockOptions);
}

/**
 * Takes the run lock that machines share. Closing the service releases it. Throws a Failure that names the holder and
 * the time, or if Redis does not answer.
 */
export async function acquireSharedRunLock(lease: RunLease, lockOptions: LockOptions): Promise<void> {
  await waitUntilFree(async () => {
    const taken = await lease.take();
    return taken === "taken" ? taken : leasedFailure(taken, lease.name, lockOptions);
  }, lockOptions);
}

/** @param attempt returns a Failure while another process has the lock */
async function waitUntilFree<T>(
  attempt: () => Promise<T | Failure>,
  { until, clock, stop, onWait }: LockOptions,
): Promise<T> {
  let isWaiting = false;
  for (;;) {
    const taken = await attempt();
    if (!(taken instanceof Failure)) return taken;
    if (clock.now() >= until || stop.aborted) throw taken;
    if (!isWaiting) onWait();
    isWaiting = true;
    await clock.sleep(RETRY_MS, stop);
  }
}

async function takeLock(state: StateFolder, { clock, command }: LockOptions): Promise<ProcessLock> {
  await makeFolder(state);
  const lock = await acquireProcessLock(state.in(LOCK_FILE), {
    command,
    since: new Date(clock.now()).toISOString(),
  });
  await removeAbandoned(state, clock.now()).catch(() => undefined);
  return lock;
}

/** The holder of the run lock in the project's folder, if any. Throws LockHeld for an unreadable lock. */
export function readRunLock(state: StateFolder): ReturnType<typeof readProcessLock> {
  return readProcessLock(state.in(LOCK_FILE));
}

const LOCK_FILE = "run.lock";

function waitHint({ canWait }: LockOptions): string {
  return canWait
    ? "Wait until it ends, or wait automatically with --lock-timeout 5m."
    : "Wait until it ends, then run again.";
}

/** The holder of a lock, such as `plancast draft, process 12 since 2027-03-01T08:00:00.000Z`. */
export function lockHolder({ pid, info }: Pick<LockOwner, "pid" | "info">): string {
  const { command, since = "some time" } = info;
  return `${command === undefined ? "" : `plancast ${command}, `}process ${pid} since ${since}`;
}

function lockedFailure({ owner }: LockHeld, lockOptions: LockOptions): Failure {
  if (owner === undefined) {
    const file = `${STATE_FOLDER}/${LOCK_FILE}`;
    return new Failure(
      "run/locked",
      `plancast cannot read ${file}, so another run may be in progress in this project.`,
      `If no plancast is running, remove ${file} and run again.`,
    );
  }
  const message = `Another run is in progress in this project: ${lockHolder(owner)}.`;
  return new Failure("run/locked", message, waitHint(lockOptions));
}

function leasedFailure({ owner, expiresInMs }: LeaseHolder, name: string, lockOptions: LockOptions): Failure {
  if (owner === undefined || expiresInMs < 0) {
    return new Failure(
      "run/locked",
      `The run lock in Redis (${name}) has a value that plancast did not write.`,
      "Remove that key from Redis if no plancast is running.",
    );
  }
  const { host, pid, since } = owner;
  return new Failure(
    "run/locked",
    `Another run is in progress in this project: process ${pid} on ${host} since ${since}.`,
    `${waitHint(lockOptions)} If that process is dead, its lock expires within ${Math.ceil(expiresInMs / 1_000)} seconds. If it belongs to another project, give each project its own name: \`project: …\` in plancast.yaml.`,
  );
}

function lockNotWritable(error: unknown): Failure {
  return new Failure(
    "disk/not-writable",
    `plancast cannot write to the folder ${STATE_FOLDER} in the project, so this run could not keep its journal: ${reasonOf(error)}`,
    "Check its permissions and the free space on the disk, then run again. Nothing was changed.",
  );
}
