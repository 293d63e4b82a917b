/** Counts requests in fixed windows, one for each caller. Source: the interface, section 8. */

import { type RatePlan, RATE_PLANS } from "../settings/rate-plans.ts";

/** What X-RateLimit-Reset holds; the interface does not say. Seconds left, or Unix time in seconds or ms. */
export type ResetUnit = "seconds" | "epoch" | "epoch-ms";

const RESET_VALUES = {
  seconds: (_resetAt, secondsLeft) => secondsLeft,
  epoch: (resetAt) => Math.ceil(resetAt / 1000),
  "epoch-ms": (resetAt) => Math.ceil(resetAt),
} as const satisfies Record<ResetUnit, (resetAt: number, secondsLeft: number) => number>;

export interface RateLimitOptions {
  readonly plan: RatePlan;
  /** Length of a window, ms. */
  readonly windowMs: number;
  readonly resetUnit: ResetUnit;
  /** Unix time, ms. */
  readonly now: () => number;
}

export interface RateLimitStatus {
  readonly exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfter: number;
  /** The X-RateLimit headers. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Window {
  readonly start: number;
  used: number;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Counts one request of the caller. One that exceeds the limit costs nothing. */
  take(caller: string): RateLimitStatus {
    const window = this.#windowOf(caller);
    const exceeded = window.used >= RATE_PLANS[this.#options.plan];
    if (!exceeded) window.used += 1;
    return this.#status(window, exceeded);
  }

  /** How the caller stands, without counting anything. */
  peek(caller: string): RateLimitStatus {
    return this.#status(this.#windowOf(caller), false);
  }

  #windowOf(caller: string): Window {
    const { now, windowMs } = this.#options;
    const at = now();
    const current = this.#windows.get(caller);
    // A clock that was set back must not lock a caller out until it has caught up.
    if (current !== undefined && at >= current.start && at < current.start + windowMs) return current;
    const next = { start: at, used: 0 };
    this.#windows.set(caller, next);
    return next;
  }

  #status(window: Window, exceeded: boolean): RateLimitStatus {
    const limit = RATE_PLANS[this.#options.plan];
    const resetAt = window.start + this.#options.windowMs;
    const secondsLeft = Math.max(1, Math.ceil((resetAt - this.#options.now()) / 1000));
    return {
      exceeded,
      retryAfter: secondsLeft,
      headers: {
        "X-RateLimit-Limit": String(limit),
        "X-RateLimit-Remaining": String(limit - window.used),
        "X-RateLimit-Reset": String(RESET_VALUES[this.#options.resetUnit](resetAt, secondsLeft)),
      },
    };
  }
}
