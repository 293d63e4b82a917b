/** The time and the bytes that all downloads of a run may take together. */

import { durationMs } from "../model/clock.ts";
import { sizeBytes } from "../settings/limits.ts";
import type { Maxima } from "../settings/maxima.ts";

type Limits = Pick<Maxima, "runTime" | "runSize">;

export class DownloadBudget {
  readonly limits: Limits;
  #leftMs: number;
  #leftBytes: number;
  /** Downloads at the same time count once. */
  #open = 0;
  #since = 0;

  constructor(limits: Limits) {
    this.limits = limits;
    this.#leftMs = durationMs(limits.runTime);
    this.#leftBytes = sizeBytes(limits.runSize);
  }

  /** Does a download. Its signal is aborted when no time is left. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#open === 0) this.#since = performance.now();
    this.#open += 1;
    const ended = new AbortController();
    const left = this.#remainingMs();
    if (left === 0) ended.abort();
    const timer = setTimeout(() => ended.abort(), Math.min(left, MAX_TIMER_MS));
    try {
      return await work(ended.signal);
    } finally {
      clearTimeout(timer);
      this.#leftMs = this.#remainingMs();
      this.#since = performance.now();
      this.#open -= 1;
    }
  }

  /** Whether these bytes may be kept, too. */
  take(bytes: number): boolean {
    this.#leftBytes -= bytes;
    return this.#leftBytes >= 0;
  }

  /** Whether a file of this size may begin. */
  allows(bytes: number): boolean {
    return bytes <= this.#leftBytes;
  }

  #remainingMs(): number {
    return Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}

/** The longest delay that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;
