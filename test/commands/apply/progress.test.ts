/** How an apply shows its progress: one line on a terminal, which is updated, or some lines in a log. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Progress, startProgress } from "../../../src/commands/apply/report.ts";
import { openConsole } from "../../../src/commands/shell/console.ts";
import { type TextStream, processShell } from "../../../src/commands/shell/shell.ts";
import type { Outcome } from "../../../src/model/plan.ts";
import { textWidth } from "../../../src/report/text/wrap.ts";
import { create, plan, post } from "../../report/sample-plan.ts";
import { TestClock } from "../../support/test-clock.ts";

// A timer redraws the bar. The commands use a clock of the test.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
const SECOND = 1_000;

interface Shown {
  readonly progress: Progress;
  readonly clock: TestClock;
  /** Changes that are handled, each with one request. */
  readonly handle: (count: number) => void;
  readonly columns: (width: number) => void;
  /** The output since the last call, without control characters and repeats. */
  readonly lines: () => string[];
}

/** @param total changes of the plan, each of one request; `columns`: of the terminal, or undefined for a log */
function start(total: number, columns?: number): Shown {
  const clock = new TestClock();
  let [written, width, sent] = ["", columns ?? 100, 0];
  const stderr: TextStream = {
    write: (text) => void (written += text),
    isTerminal: columns !== undefined,
    get columns() {
      return width;
    },
  };
  const shell = { ...processShell(new AbortController().signal), env: {}, clock, stdout: stderr, stderr };
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
    columns: (wide) => void (width = wide),
    lines: () => {
      vi.advanceTimersByTime(SECOND);
      // oxlint-disable-next-line no-control-regex -- control characters separate two drawings
      const drawn = written.split(/\u001B\[[\d?;]*[A-Za-z]|\u001B[78]|\n/).filter(Boolean);
      written = "";
      return [...new Set(drawn)];
    },
  };
}

test("at a terminal, one line shows what is done, how long the rest takes and how fast it goes", () => {
  const { progress, clock, handle, lines } = start(12, 90);
  expect(lines()).toEqual([`${"░".repeat(18)} 0/12 changes · about 2 minutes left`]);
  handle(6);
  clock.advance(60 * SECOND);
  expect(lines()).toEqual([
    `${"█".repeat(9)}${"░".repeat(9)} 6/12 changes · about 30 seconds left, 6 requests a minute`,
  ]);
  progress.waiting("Waiting for the rate limit");
  expect(lines().join()).toContain("6/12 changes · Waiting for the rate limit · about");
  handle(6);
  progress.end();
  expect(lines().at(-1)).toContain("12/12 changes");
});

test("the line follows the width of the terminal", () => {
  const { lines, columns, progress } = start(12, 90);
  lines();
  columns(30);
  expect(lines().map((line) => textWidth(line))).toEqual([28]);
  progress.end();
});

test("in a log, a long apply writes a line after every tenth of its changes", () => {
  const { progress, clock, handle, lines } = start(40);
  handle(4);
  clock.advance(60 * SECOND);
  handle(36);
  progress.end();
  expect(lines()).toHaveLength(9);
});

test("in a log, a short apply only says what it is waiting for", () => {
  const { progress, handle, lines } = start(19);
  handle(10);
  progress.waiting("Waiting for the rate limit");
  handle(9);
  progress.end();
  expect(lines()).toEqual(["Waiting for the rate limit."]);
});
