/** One window of the rate limit, with what is known to be left of it. */
import type { RateReading } from "./rate-headers.ts";
import { MINUTE_MS, fixedEnd, type WindowEnd } from "./window-end.ts";

/** Times in ms by the local clock. */
export interface CountedWindow {
  end: WindowEnd;
  /** When its first answer came. */
  readonly seenAt: number;
  /** What the first answer left, less what was started since. */
  left: number;
  /** The least that any answer told. */
  least: number;
  /** Requests started here. */
  used: number;
}

/** A window of which the first answer has come; `end` is undefined where that does not tell it. */
export function beginWindow(
  { limit, remaining }: RateReading,
  end: WindowEnd | undefined,
  now: number,
  fallbackLimit: number,
): CountedWindow {
  const most = (limit ?? (remaining === undefined ? fallbackLimit : Infinity)) - 1;
  const left = Math.max(0, Math.min(remaining ?? most, most));
  return { end: end ?? fixedEnd(now + MINUTE_MS), seenAt: now, left, least: remaining ?? Infinity, used: 1 };
}

/** Nobody starts before that time, and then one alone. */
export function closedUntil(until: number): CountedWindow {
  return { end: fixedEnd(until), seenAt: until, left: 0, least: 0, used: 0 };
}

/** The headers turned out to say nothing: from here on requests are counted against a limit a minute. */
export function countLocally(window: CountedWindow, limit: number): void {
  window.end = fixedEnd(window.seenAt + MINUTE_MS);
  window.left = Math.max(0, limit - window.used);
  window.least = Infinity;
}
