/** How long everybody stays away after the limit refused a request, or the service said when to come again. Pure. */

/** The longest wait that is obeyed without asking, ms; beyond it the run ends and says so. */
export const MAX_WAIT_MS = 15 * 60_000;
/** Beyond this a time to come again is absurd, ms. */
const MAX_PLAUSIBLE_MS = 86_400_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Why nobody may start: the service said how long, or it refused without saying. */
export type BackoffReason = "told" | "refused";

export interface Refusal {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** As the answer says, ms. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer tells when the window ends, so that this can be waited for instead. */
  readonly tellsReset: boolean;
}

export class Backoff {
  readonly #random: () => number;
  until = -Infinity;
  why: BackoffReason = "told";
  /** Refusals in a row, each of a request that was sent after the one before. */
  #refusals = 0;
  #refusedAt = -Infinity;

  /** @param random from 0 to 1, so that clients that were refused together do not come back together */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** A request was let in. */
  accepted(sentAt: number): void {
    if (sentAt >= this.#refusedAt) this.#refusals = 0;
  }

  refused({ sentAt, receivedAt, retryAfterMs, tellsReset }: Refusal): void {
    if (sentAt >= this.#refusedAt) this.#refusals += 1;
    this.#refusedAt = receivedAt;
    const told = withinMaxWait(retryAfterMs);
    // The first refusal that says when to come again is taken at its word; after that, ever longer at the least.
    const isTold = told !== undefined || tellsReset;
    const backoff = this.#backoffMs(isTold ? this.#refusals - 2 : this.#refusals - 1);
    this.#extend(receivedAt + Math.max(told ?? 0, backoff), (told ?? 0) >= backoff ? "told" : "refused");
  }

  /** The service asked for it, for reasons other than the limit. */
  requested(receivedAt: number, retryAfterMs: number): void {
    this.#extend(receivedAt + (withinMaxWait(retryAfterMs) ?? 0), "told");
  }

  /** Starts anew, by a clock that was set. */
  reset(): void {
    this.until = -Infinity;
    this.#refusedAt = -Infinity;
  }

  #extend(until: number, why: BackoffReason): void {
    if (until <= this.until) return;
    this.until = until;
    this.why = why;
  }

  #backoffMs(attempt: number): number {
    if (attempt < 0) return 0;
    return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.75 + this.#random() / 2);
  }
}

function withinMaxWait(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_WAIT_MS ? ms : undefined;
}

/** A time to stay away, unless it is absurd. */
export function plausibleMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_PLAUSIBLE_MS ? ms : undefined;
}
