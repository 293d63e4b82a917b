/**
 * How many requests may start now, by what the service said of its limit. No I/O and no clock: times come in.
 *
 * Within a window: the least remaining that any answer told, minus what is in flight. Windows are told apart by
 * their reset. After a reset one request goes ahead alone (the probe) and brings the new window's count. Where the
 * headers say nothing usable, requests are counted here against the plan's limit a minute.
 */
import type { RateReading } from "./rate-headers.ts";

/** Two resets this near are one window's, seen through rounding to seconds. */
const SAME_WINDOW_MS = 1_500;
/** Where the service does not tell its reset: the limit is per minute. */
const MINUTE_MS = 60_000;

interface Window {
  readonly resetAt: number;
  readonly least: number;
}

export class RateWindow {
  readonly #fallbackLimit: number;
  #window: Window | undefined;
  #inFlight = 0;
  #pausedUntil = 0;

  /** @param fallbackLimit requests a minute where the headers say nothing */
  constructor(fallbackLimit: number) {
    this.#fallbackLimit = fallbackLimit;
  }

  /** Requests that may start at `now`. */
  allowance(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (this.#window === undefined || now >= this.#window.resetAt) return this.#inFlight === 0 ? 1 : 0;
    return Math.max(0, this.#window.least - this.#inFlight);
  }

  /** When the allowance may grow without an answer; undefined when only an answer can help. */
  opensAt(now: number): number | undefined {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    return this.#window !== undefined && now < this.#window.resetAt ? this.#window.resetAt : undefined;
  }

  started(): void {
    this.#inFlight += 1;
  }

  /** A request sent at `sentAt` is over. `reading` is undefined when there was no answer. */
  ended(sentAt: number, now: number, reading: RateReading | undefined): void {
    this.#inFlight -= 1;
    // What was sent after a reset is of a newer window, however near the two resets are.
    if (this.#window !== undefined && sentAt >= this.#window.resetAt) this.#window = undefined;
    // What was sent without an answer counts all the same.
    if (reading === undefined || reading.remaining === undefined) this.#count(now, reading?.limit);
    else this.#see(reading.resetAt ?? this.#countedReset(now), reading.remaining);
  }

  /** Nobody starts before `until`. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #see(resetAt: number, remaining: number): void {
    const current = this.#window;
    if (current === undefined || resetAt > current.resetAt + SAME_WINDOW_MS) {
      this.#window = { resetAt, least: remaining };
    } else if (resetAt >= current.resetAt - SAME_WINDOW_MS) {
      this.#window = {
        resetAt: Math.max(resetAt, current.resetAt),
        least: Math.min(current.least, remaining),
      };
    }
  }

  #count(now: number, limit: number | undefined): void {
    const open = this.#window !== undefined && now < this.#window.resetAt ? this.#window : undefined;
    const least = Math.max(0, (open?.least ?? limit ?? this.#fallbackLimit) - 1);
    this.#window = { resetAt: this.#countedReset(now), least };
  }

  #countedReset(now: number): number {
    return this.#window !== undefined && now < this.#window.resetAt ? this.#window.resetAt : now + MINUTE_MS;
  }
}
