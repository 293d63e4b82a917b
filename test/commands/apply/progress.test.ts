/** How an apply shows its progress: some lines, on a terminal and in a log. */

import { expect, test } from "vitest";
import { type Progress, startProgress } from "../../../src/commands/apply/report.ts";
import { openConsole } from "../../../src/commands/shell/console.ts";
import { type TextStream, processShell } from "../../../src/commands/shell/shell.ts";
import type { Outcome } from "../../../src/model/plan.ts";
import { create, plan, post } from "../../report/sample-plan.ts";
import { TestClock } from "../../support/test-clock.ts";

const DONE: Outcome = { key: "launch", action: "create", status: "done", postId: "post_1" };
const FLAGS = {
  config: undefined,
  "api-key-file": undefined,
  "trust-url": [],
  color: false,
  quiet: false,
  verbose: false,
};
const PACE = [{ free: 0, opensInMs: 30_000, perWindow: 6, windowMs: 60_000 }];

interface Shown {
  readonly progress: Progress;
  readonly clock: TestClock;
  /** Handles some changes, each with one request. */
  readonly handle: (count: number) => void;
  readonly lines: () => string[];
}

/** @param total changes of the plan, each of one request */
function start(total: number): Shown {
  const clock = new TestClock();
  let [written, sent] = ["", 0];
  const stderr: TextStream = {
    write: (text) => void (written += text),
    isTerminal: true,
    columns: 100,
  };
  const signals = { stop: new AbortController().signal, handleAlways: () => undefined };
  const shell = { ...processShell(signals), env: {}, clock, stdout: stderr, stderr };
  const progress = startProgress(shell, openConsole(shell, FLAGS));
  const changes = Array.from({ length: total }, () => create(post()));
  progress.begin(plan(changes, { requests: total }), { requests: () => sent, pace: () => PACE });
  return {
    progress,
    clock,
    handle: (count) => {
      for (let done = 0; done < count; done += 1) {
        sent += 1;
        progress.outcome(DONE);
      }
    },
    lines: () => written.split("\n").filter(Boolean),
  };
}

test("a long apply writes a line after every tenth of its changes, with the time that is left and the pace", () => {
  const { clock, handle, lines } = start(40);
  handle(3);
  clock.advance(60_000);
  handle(1);
  expect(lines()).toEqual(["4 of 40 changes handled · about 6 minutes left, 4 requests a minute"]);
  handle(36);
  expect(lines()).toHaveLength(9);
});

test("a short apply only says what it is waiting for", () => {
  const { progress, handle, lines } = start(19);
  handle(10);
  progress.waiting("Waiting for the rate limit");
  handle(9);
  expect(lines()).toEqual(["Waiting for the rate limit."]);
});
