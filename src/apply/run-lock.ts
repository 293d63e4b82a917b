/** One apply at a time in a project, by a lock that a dead process does not keep. */
import { join } from "node:path";
import type { Clock } from "../calendar/clock.ts";
import { durationOf } from "../calendar/duration.ts";
import { Failure, reasonOf } from "../calendar/failure.ts";
import { makeFolder } from "../state/folder.ts";
import { acquireProcessLock, LockHeld, type ProcessLock } from "../state/process-lock.ts";
import { STATE_FOLDER } from "../state/project-state.ts";

const LOOK_AGAIN_MS = 500;

/**
 * Takes the project's run lock, waiting for another run as long as `timeout` (such as `5m`) says.
 * Throws a Failure that names who holds it since when.
 */
export async function acquireRunLock(
  root: string,
  timeout: string,
  clock: Clock,
  stop: AbortSignal,
  note: (text: string) => void,
): Promise<ProcessLock> {
  const waitMs = durationOf(timeout);
  if (waitMs === undefined) {
    throw new Failure(
      "usage/arguments",
      `--lock-timeout ${JSON.stringify(timeout)} is not a duration.`,
      "Write it like 90s or 5m.",
    );
  }
  const until = clock.now() + waitMs;
  let told = false;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await take(root, clock);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw notWritable(error);
      if (clock.now() >= until || stop.aborted) throw heldBy(error);
    }
    if (!told) note("Another apply is running in this project; waiting for it to end.\n");
    told = true;
    // oxlint-disable-next-line no-await-in-loop
    await clock.sleep(LOOK_AGAIN_MS, stop);
  }
}

async function take(root: string, clock: Clock): Promise<ProcessLock> {
  const folder = join(root, STATE_FOLDER);
  await makeFolder(folder);
  return acquireProcessLock(join(folder, "run.lock"), { since: new Date(clock.now()).toISOString() });
}

function heldBy({ owner }: LockHeld): Failure {
  const who =
    owner === undefined
      ? "a process that cannot be told"
      : `process ${owner.pid} since ${owner.info["since"] ?? "some time"}`;
  return new Failure(
    "run/locked",
    `Another apply is running in this project: ${who}.`,
    "Wait until it has ended, or give it time with --lock-timeout 5m.",
  );
}

function notWritable(error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `The folder ${STATE_FOLDER} in the project cannot be written, so this run could not keep its journal: ${why}`,
    "Check the permissions and the space on the disk, then run again. Nothing was changed.",
  );
}
