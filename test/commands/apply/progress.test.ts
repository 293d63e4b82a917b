/** How an apply shows its progress: some lines, on a terminal and in a log. */

import { expect, test } from "vitest";
import { progressOf } from "../../../src/commands/apply/report.ts";
import { openConsole } from "../../../src/commands/shell/console.ts";
import { type TextStream, processShell } from "../../../src/commands/shell/shell.ts";
import { create, plan, post } from "../../report/sample-plan.ts";
import { TestClock } from "../../support/test-clock.ts";

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
  const changes = Array.from({ length: total }, () => create(post()));
  const sending = { requests: () => sent, pace: () => PACE };
  const handled = progressOf(plan(changes, { requests: total }), sending, clock, openConsole(shell, FLAGS));
  return {
    clock,
    handle: (count) => {
      for (let done = 0; done < count; done += 1) {
        sent += 1;
        handled();
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
  for (let done = 4; done < 40; done += 1) {
    clock.advance(5_000);
    handle(1);
  }
  expect(lines()).toHaveLength(9);
});

test.each([19, 40, 400])("an apply of %s changes that is done in some seconds writes nothing", (total) => {
  const { clock, handle, lines } = start(total);
  handle(10);
  clock.advance(4_000);
  handle(total - 10);
  expect(lines()).toEqual([]);
});

test("between two lines are at least some seconds", () => {
  const { clock, handle, lines } = start(40);
  clock.advance(5_000);
  handle(39);
  expect(lines()).toEqual([expect.stringContaining("4 of 40 changes handled")]);
});
