/** Time comes in as a parameter, so that tests can own it. */
export interface Clock {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves after this time (ms), or at once when the signal aborts. Keeps the process alive meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** How fast requests may go, by what the service last said of its limit. Times in ms. */
export interface Pace {
  /** Requests that may start at once. */
  readonly free: number;
  /** Until the next window opens. */
  readonly opensInMs: number;
  readonly perWindow: number;
  readonly windowMs: number;
}

/** How long the `nth` request from now (from 1) has to wait for its turn, ms, where nobody else uses the key. */
export function waitMsFor({ free, opensInMs, perWindow, windowMs }: Pace, nth: number): number {
  if (nth <= free) return 0;
  return opensInMs + Math.floor((nth - free - 1) / perWindow) * windowMs;
}

/**
 * What holds requests back. `limit`: the service's rate limit is used up; `others`: what is left of it may just be
 * spent by others who use the same key; `told`: the service said when to come again;
 * `refused`: it refused a request for its rate limit and did not say for how long; `trouble`: one request failed, for
 * the reason given, and is to be sent again.
 */
export type Wait = {
  /** How many wait. */
  readonly requests: number;
  /** When they may go on, ms since the epoch. */
  readonly until: number;
  /** How long that is, ms. */
  readonly ms: number;
} & (
  | { readonly why: "limit" | "others" | "told" | "refused" }
  | { readonly why: "trouble"; readonly reason: string }
);
