/** How long all requests wait after the limit refused one, or the service said when to try again. */

/** The longest requested wait that is accepted, in ms. Beyond it, the run ends and says so. */
export const MAX_WAIT_MS = 15 * 60_000;
/** Beyond this, a requested wait is absurd, in ms. */
const MAX_PLAUSIBLE_MS = 86_400_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Why nobody may start: the service said how long to wait, or it refused without saying. */
export type BackoffReason = "told" | "refused";

interface Refusal {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** As the answer says, in ms. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer shows when the window ends, so that waiting for that is enough. */
  readonly tellsReset: boolean;
}

export class Backoff {
  readonly #random: () => number;
  /** Refusals in a row, each for a request that was sent after the previous one. */
  #refusals = 0;
  /** When the last refusal arrived. */
  refusedAt = -Infinity;
  until: number;
  why: BackoffReason = "told";

  /**
   * @param random from 0 to 1, so that clients that were refused together do not retry together
   * @param until as the service asked in an earlier run
   */
  constructor(random: () => number, until = -Infinity) {
    this.#random = random;
    this.until = until;
  }

  /** A request was accepted. */
  accepted(sentAt: number): void {
    if (sentAt >= this.refusedAt) this.#refusals = 0;
  }

  refused({ sentAt, receivedAt, retryAfterMs, tellsReset }: Refusal): void {
    if (sentAt >= this.refusedAt) this.#refusals += 1;
    this.refusedAt = receivedAt;
    const requestedMs = withinMaxWait(retryAfterMs);
    // The first refusal with a time is followed exactly. After each further refusal, the shortest wait grows.
    const saysWhen = requestedMs !== undefined || tellsReset;
    const attempt = saysWhen ? this.#refusals - 2 : this.#refusals - 1;
    const leastMs = attempt < 0 ? 0 : backoffMs(attempt, this.#random());
    const isAsRequested = (requestedMs ?? 0) >= leastMs;
    this.#extend(receivedAt + Math.max(requestedMs ?? 0, leastMs), isAsRequested ? "told" : "refused");
  }

  /** The service asked for the wait, for a reason other than the limit. */
  requested(receivedAt: number, retryAfterMs: number): void {
    this.#extend(receivedAt + (withinMaxWait(retryAfterMs) ?? 0), "told");
  }

  /** Starts again, because the clock was changed. */
  reset(): void {
    this.until = -Infinity;
    this.refusedAt = -Infinity;
  }

  #extend(until: number, why: BackoffReason): void {
    if (until <= this.until) return;
    this.until = until;
    this.why = why;
  }
}

/**
 * How long to wait after failed attempts, in ms: twice as long each time.
 * @param random from 0 to 1, so that clients that failed together do not retry together
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.75 + random / 2);
}

function withinMaxWait(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_WAIT_MS ? ms : undefined;
}

/** The requested wait, unless it is absurd. */
export function plausibleMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_PLAUSIBLE_MS ? ms : undefined;
}
