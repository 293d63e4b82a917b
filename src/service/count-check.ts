/** Whether X-RateLimit-Remaining counts at all: some services send a constant. What changed once is none. */

/** So many answers in a row, each asked for after the one before, that told the same. */
const MAX_STUCK_ANSWERS = 4;
/** So many windows in a row in which the first request was let in and told that none is left. */
const MAX_EMPTY_WINDOWS = 3;
/** Where windows are shorter than this, single requests may well be let in one by one, ms. */
const LONG_WINDOW_MS = 5_000;

export class CountCheck {
  #first: number | undefined;
  #changed = false;
  #latestAt = -Infinity;
  #stuck = 0;
  #empty = 0;

  get isConstant(): boolean {
    return !this.#changed && (this.#stuck >= MAX_STUCK_ANSWERS || this.#empty >= MAX_EMPTY_WINDOWS);
  }

  /** The first answer of a window, which lasts so long yet, ms. */
  windowStarted(remaining: number, receivedAt: number, lastsMs: number): void {
    this.#record(remaining, receivedAt);
    this.#stuck = 0;
    if (remaining === 0 && lastsMs >= LONG_WINDOW_MS) this.#empty += 1;
  }

  /** A further answer of the window. */
  answered(remaining: number, sentAt: number, receivedAt: number): void {
    if (sentAt >= this.#latestAt) this.#stuck += 1;
    this.#record(remaining, receivedAt);
  }

  #record(remaining: number, receivedAt: number): void {
    this.#first ??= remaining;
    this.#changed ||= remaining !== this.#first;
    this.#latestAt = receivedAt;
  }
}
