import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StateFolder } from "../../../src/disk/state-folder.ts";
import type { Clock } from "../../../src/model/clock.ts";
import {
  type LockOptions,
  acquireRunLock,
  lockDeadline,
  withoutWaiting,
} from "../../../src/sync/state/run-lock.ts";
import { tempFolder } from "../../support/temp-folder.ts";

/** A clock that each sleep moves, and that runs a function at a given time. */
function stepClock(at = Infinity, then: () => Promise<void> = async () => {}) {
  const slept: number[] = [];
  let ms = 0;
  const clock: Clock = {
    now: () => ms,
    sleep: async (length) => {
      slept.push(length);
      if (slept.length > 100) throw new Error("It waits without end.");
      ms += length;
      if (ms >= at) await then();
    },
  };
  return { clock, slept };
}

function waiting(clock: Clock, until: number, stop = new AbortController().signal) {
  let waits = 0;
  const patience: LockOptions = {
    command: "apply",
    canWait: true,
    until,
    clock,
    stop,
    onWait: () => (waits += 1),
  };
  return { patience, waits: () => waits };
}

test("a run waits for the lock, says so once, and takes it when it is free", async () => {
  const root = await tempFolder();
  const { clock: firstClock } = stepClock();
  const first = await acquireRunLock(
    StateFolder.at(root),
    withoutWaiting("draft", waiting(firstClock, 0).patience),
  );
  const { clock, slept } = stepClock(1_500, () => first.release());
  const { patience, waits } = waiting(clock, 60_000);
  const second = await acquireRunLock(StateFolder.at(root), patience);
  await second.release();
  expect(slept).toEqual([500, 500, 500]);
  expect(waits()).toBe(1);
});

test("a run that may not wait longer names the holder of the lock", async () => {
  const root = await tempFolder();
  const { clock, slept } = stepClock();
  const first = await acquireRunLock(
    StateFolder.at(root),
    withoutWaiting("draft", waiting(clock, 0).patience),
  );
  const { patience } = waiting(clock, 1_000);
  await expect(acquireRunLock(StateFolder.at(root), patience)).rejects.toMatchObject({
    code: "run/locked",
    message: `Another run is in progress in this project: plancast draft, process ${process.pid} since 1970-01-01T00:00:00.000Z.`,
    hint: "Wait until it ends, or wait automatically with --lock-timeout 5m.",
  });
  expect(slept).toEqual([500, 500]);
  await expect(acquireRunLock(StateFolder.at(root), withoutWaiting("draft", patience))).rejects.toMatchObject(
    {
      hint: "Wait until it ends, then run again.",
    },
  );
  expect(slept).toHaveLength(2);
  await first.release();
});

test("a stopped run does not wait any longer", async () => {
  const root = await tempFolder();
  const stop = new AbortController();
  const { clock, slept } = stepClock(500, async () => stop.abort());
  const first = await acquireRunLock(
    StateFolder.at(root),
    withoutWaiting("draft", { clock, stop: stop.signal }),
  );
  const { patience } = waiting(clock, 60_000, stop.signal);
  await expect(acquireRunLock(StateFolder.at(root), patience)).rejects.toMatchObject({ code: "run/locked" });
  expect(slept).toEqual([500]);
  await first.release();
});

test("an invalid lock file is not removed", async () => {
  const root = await tempFolder({ ".plancast/run.lock": "?" });
  const { clock } = stepClock();
  await expect(
    acquireRunLock(StateFolder.at(root), withoutWaiting("apply", waiting(clock, 0).patience)),
  ).rejects.toMatchObject({
    code: "run/locked",
    hint: "If no plancast is running, remove .plancast/run.lock and run again.",
  });
});

test("a project folder that cannot be written stops the run", async () => {
  const root = await tempFolder();
  await writeFile(join(root, ".plancast"), "a file");
  const { clock } = stepClock();
  await expect(
    acquireRunLock(StateFolder.at(root), withoutWaiting("apply", waiting(clock, 0).patience)),
  ).rejects.toMatchObject({
    code: "disk/not-writable",
  });
});

test("--lock-timeout counts from now, and must be a duration", () => {
  const { clock } = stepClock();
  expect(lockDeadline("5m", clock)).toBe(300_000);
  expect(() => lockDeadline("soon", clock)).toThrow('--lock-timeout "soon" is not a duration.');
});
