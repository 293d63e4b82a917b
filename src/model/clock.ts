/**
 * Time: the clock, waiting for the rate limit, and durations such as `5m`. Some of its types are public, so they use no
 * types of libraries.
 */

/** Time is a parameter, so that tests can control it. */
export interface Clock {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves after this time (ms), or immediately if the signal aborts. Keeps the process alive until then. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** How fast requests may go, by the rate limit that the service reported last: each window has its own pace. */
export type Pace = readonly WindowPace[];

/** How fast requests may go in one window. Times in ms. */
interface WindowPace {
  /** Requests that may start at once. */
  readonly free: number;
  /** Until the next window opens. */
  readonly opensInMs: number;
  readonly perWindow: number;
  readonly windowMs: number;
}

/** How long the `nth` request from now (from 1) has to wait for its turn, in ms, if nobody else uses the key. */
export function waitMsFor(pace: Pace, nth: number): number {
  const waits = pace.map(({ free, opensInMs, perWindow, windowMs }) =>
    nth <= free ? 0 : opensInMs + Math.floor((nth - free - 1) / perWindow) * windowMs,
  );
  return Math.max(0, ...waits);
}

/** No run waits longer than this for a window to open, in ms: an hour, and a second because ends are rounded. */
export const LONGEST_WAIT_MS = 3_601_000;

/**
 * A run ends where it would have to wait too long: after how many requests that is, and how long from now the next one may
 * start, in ms. Undefined if one run sends all.
 */
export function endOfRun(
  pace: Pace,
  requests: number,
): { readonly requests: number; readonly thenMs: number } | undefined {
  for (let sent = 0, waited = 0; sent < requests; sent += 1) {
    const thenMs = waitMsFor(pace, sent + 1);
    if (thenMs - waited > LONGEST_WAIT_MS) return { requests: sent, thenMs };
    waited = thenMs;
  }
  return undefined;
}

/**
 * What holds requests back.
 * - `limit`: the service's rate limit is used up.
 * - `others`: other users of the same key may have just used the rest of the limit.
 * - `told`: the service said when to try again.
 * - `refused`: it refused a request for its rate limit and did not say for how long.
 * - `trouble`: one request failed for the given reason, and will be sent again.
 */
export type Wait = {
  /** Number of requests that wait. */
  readonly requests: number;
  /** When they may continue, in ms since the epoch. */
  readonly until: number;
  /** How long that is, in ms. */
  readonly ms: number;
} & (
  | { readonly why: "limit" | "others" | "told" | "refused" }
  | { readonly why: "trouble"; readonly reason: string }
);

const UNIT_MS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
/** The form of a duration. */
export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Describes a duration, to follow "must be". */
export const DURATION_FORM = "a number and a unit, such as 90s, 2m, 1h or 1d";

/** Milliseconds of a duration; undefined for any other text. */
export function durationOf(text: string): number | undefined {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Milliseconds of a duration that the schema has accepted. */
export function durationMs(text: string): number {
  return durationOf(text) ?? Number.NaN;
}
