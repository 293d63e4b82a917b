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
