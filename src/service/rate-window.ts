/**
 * How many requests may start now, by what the service said of its limit. No I/O and no clock: times come in.
 *
 * Within a window: the least remaining that any answer told, minus what is in flight. Windows are told apart by
 * their reset. After a reset one request goes ahead alone (the probe) and brings the new window's count. Where the
 * headers say nothing usable, requests are counted here against the plan's limit a minute.
 */
import { roundsUp, type RateReading } from "./rate-headers.ts";

/** Two resets this near are one window's, seen through rounding to seconds. */
const SAME_WINDOW_MS = 1_500;
/** Where the service does not tell its reset: the limit is per minute. */
const MINUTE_MS = 60_000;

/** A reset told in whole seconds by a service that may round down is this much later at the most. */
const ROUNDING_MS = 1_000;

interface Window {
  /** As told. */
  readonly resetAt: number;
  /** When it is certainly over. */
  readonly overAt: number;
  readonly least: number;
}

export class RateWindow {
  readonly #fallbackLimit: number;
  #window: Window | undefined;
  #inFlight = 0;
  #pausedUntil = 0;
  /** Whether the service rounds its resets up; undefined until it has shown it. */
  #roundsUp: boolean | undefined;

  /** @param fallbackLimit requests a minute where the headers say nothing */
  constructor(fallbackLimit: number) {
    this.#fallbackLimit = fallbackLimit;
  }

  /** Requests that may start at `now`. */
  allowance(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (this.#window === undefined || now >= this.#window.overAt) return this.#inFlight === 0 ? 1 : 0;
    return Math.max(0, this.#window.least - this.#inFlight);
  }

  /** When the allowance may grow without an answer; undefined when only an answer can help. */
  opensAt(now: number): number | undefined {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    return this.#window !== undefined && now < this.#window.overAt ? this.#window.overAt : undefined;
  }

  started(): void {
    this.#inFlight += 1;
  }

  /** A request sent at `sentAt` is over. `reading` is undefined when there was no answer. */
  ended(sentAt: number, now: number, reading: RateReading | undefined): void {
    this.#inFlight -= 1;
    // What was sent after a reset is of a newer window, however near the two resets are.
    if (this.#window !== undefined && sentAt >= this.#window.overAt) this.#window = undefined;
    // What was sent without an answer counts all the same.
    if (reading === undefined || reading.remaining === undefined) this.#count(now, reading?.limit);
    else if (reading.resetAt === undefined) this.#see(this.#countedReset(now), reading.remaining, 0);
    else {
      this.#learn(reading, reading.resetAt - sentAt);
      const slack = reading.isCoarse && this.#roundsUp !== true ? ROUNDING_MS : 0;
      this.#see(reading.resetAt, reading.remaining, slack);
    }
  }

  /** Nobody starts before `until`. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** The first request of a window shows how the service rounds. */
  #learn({ limit, remaining, isCoarse }: RateReading, inMs: number): void {
    const isFirst = limit !== undefined && remaining === limit - 1;
    if (isCoarse && isFirst) this.#roundsUp ??= roundsUp(inMs);
  }

  #see(resetAt: number, remaining: number, slack: number): void {
    const current = this.#window;
    if (current === undefined || resetAt > current.resetAt + SAME_WINDOW_MS) {
      this.#window = { resetAt, overAt: resetAt + slack, least: remaining };
    } else if (resetAt >= current.resetAt - SAME_WINDOW_MS) {
      const latest = Math.max(resetAt, current.resetAt);
      const least = Math.min(current.least, remaining);
      this.#window = { resetAt: latest, overAt: latest + slack, least };
    }
  }

  #count(now: number, limit: number | undefined): void {
    const open = this.#window !== undefined && now < this.#window.overAt ? this.#window : undefined;
    const least = Math.max(0, (open?.least ?? limit ?? this.#fallbackLimit) - 1);
    const resetAt = this.#countedReset(now);
    this.#window = { resetAt, overAt: resetAt, least };
  }

  #countedReset(now: number): number {
    return this.#window !== undefined && now < this.#window.overAt ? this.#window.resetAt : now + MINUTE_MS;
  }
}
