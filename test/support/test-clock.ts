/** Time that only tests and sleeps move: an hour of waiting for a rate limit passes in milliseconds. */

import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/model/clock.ts";

/**
 * Turns of the event loop in a row without work before time passes. Turns, not ms: on a busy machine, one turn may take
 * many ms. An answer needs a few turns from the socket to the next request or the journal.
 */
const QUIET_TURNS = 10;

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Stays the same until no other work is left. Then it jumps to the end of the earliest sleep. */
export class TestClock implements Clock {
  #ms: number;
  readonly #isBusy: () => boolean;
  readonly #sleepers = new Set<Sleeper>();
  #isMoving = false;

  /**
   * @param isBusy whether something is under way that must end before time passes, such as a request at the test's service
   * @param ms where time begins; default: now
   */
  constructor(isBusy: () => boolean = () => false, ms: number = Date.now()) {
    this.#isBusy = isBusy;
    this.#ms = ms;
  }

  readonly now = (): number => this.#ms;

  advance(ms: number): void {
    this.#ms += ms;
    for (const sleeper of this.#sleepers) if (sleeper.until <= this.#ms) this.#wake(sleeper);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = (): void => this.#wake(sleeper);
      const wake = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { until: this.#ms + Math.max(0, ms), wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", stop);
      void this.#move();
    });
  }

  #wake(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    sleeper.wake();
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    while (this.#sleepers.size > 0) {
      await this.#quiet();
      const [next] = [...this.#sleepers].sort((a, b) => a.until - b.until);
      if (next === undefined) break;
      this.#ms = Math.max(this.#ms, next.until);
      this.#wake(next);
    }
    this.#isMoving = false;
  }

  async #quiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await wait(1);
      if (this.#isBusy() || isUsingDisk()) quiet = -1;
    }
  }
}

/** Whether this process waits for a file: a command writes its journal between an answer and the next request. */
function isUsingDisk(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith("FSReq"));
}
