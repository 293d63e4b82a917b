/** A clock that moves forward with each sleep. The program, its service and the test share it. */

import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/model/clock.ts";

/** The real length of a sleep in ms, so that other work can run. */
const TURN_MS = 2;

export class TestClock implements Clock {
  /** Holds the ms by which this clock is ahead, for programs that run as processes. */
  readonly file: string;
  #lastAhead = 0;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, "0");
  }

  now(): number {
    return Date.now() + this.#ahead();
  }

  async sleep(ms: number): Promise<void> {
    this.advance(ms);
    await wait(TURN_MS);
  }

  advance(ms: number): void {
    writeFileSync(this.file, String(this.#ahead() + Math.max(0, ms)));
  }

  #ahead(): number {
    const text = readFileSync(this.file, "utf8");
    // Empty while a program is writing it.
    if (text !== "") this.#lastAhead = Number(text);
    return this.#lastAhead;
  }
}
