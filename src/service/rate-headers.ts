/** What the rate-limit headers of an answer say. The unit of X-RateLimit-Reset is not documented, so it is told by size. */
import type { Headers } from "./http.ts";

export interface RateReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** When the window resets, ms by the local clock; undefined when the header is missing or absurd. */
  readonly resetAt: number | undefined;
  /** Whether the reset was told in whole seconds, so that it may be up to a second later than told. */
  readonly isCoarse: boolean;
}

/** Bounds on how far the service's clock is ahead of the local one, ms. A Date header has whole seconds. */
export interface ClockSkew {
  readonly atLeast: number;
  readonly atMost: number;
}

export const UNKNOWN_SKEW: ClockSkew = { atLeast: -Infinity, atMost: Infinity };

/** From here on a number is a time since the epoch, and from here on one in ms. */
const EPOCH_FROM = 1e8;
const MILLISECONDS_FROM = 1e11;

/** Longest window that is believed. The service counts requests per minute. */
const MAX_WINDOW_MS = 3_600_000;

/** Narrows the skew by one answer that was asked for and received at these local times (ms). */
export function narrowSkew(skew: ClockSkew, headers: Headers, sentAt: number, receivedAt: number): ClockSkew {
  const date = Date.parse(single(headers["date"]) ?? "");
  if (Number.isNaN(date)) return skew;
  const atLeast = Math.max(skew.atLeast, date - receivedAt);
  const atMost = Math.min(skew.atMost, date + 1_000 - sentAt);
  // A clock that was set meanwhile: start again from this answer.
  return atLeast <= atMost
    ? { atLeast, atMost }
    : { atLeast: date - receivedAt, atMost: date + 1_000 - sentAt };
}

/** How far the service's clock is ahead, ms: nothing, as long as both may be right. */
export function skewMs({ atLeast, atMost }: ClockSkew): number {
  if (atLeast <= 0 && atMost >= 0) return 0;
  return Math.abs(atLeast) === Infinity ? 0 : atLeast;
}

/** Reads the three headers of an answer that came at `receivedAt` (local ms). */
export function readRateHeaders(headers: Headers, receivedAt: number, skew: ClockSkew): RateReading {
  const reset = single(headers["x-ratelimit-reset"]);
  return {
    limit: count(headers["x-ratelimit-limit"], 1),
    remaining: count(headers["x-ratelimit-remaining"], 0),
    resetAt: resetTime(reset, receivedAt, skew),
    isCoarse: Number(reset) < MILLISECONDS_FROM,
  };
}

/**
 * Seconds from now are small; seconds since the epoch have ten digits; ms have thirteen. Anything that then lies in
 * the past or further ahead than a window can last is not believed.
 */
function resetTime(text: string | undefined, receivedAt: number, skew: ClockSkew): number | undefined {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value < 0) return undefined;
  const local = receivedAt + skewMs(skew);
  const inMs =
    value >= MILLISECONDS_FROM ? value - local : value >= EPOCH_FROM ? value * 1_000 - local : value * 1_000;
  if (inMs > MAX_WINDOW_MS || inMs < -2_000) return undefined;
  return receivedAt + Math.max(0, inMs);
}

/**
 * Whether a service rounds its resets up, by what it told with the first request of a window, `inMs` before the reset.
 * Windows last round numbers of seconds, so a little more than one was rounded up, and a little less down.
 */
export function roundsUp(inMs: number): boolean | undefined {
  const over = (inMs + 50) % ROUND_MS;
  if (inMs >= ROUND_MS - 50 && over < 1_000) return true;
  return over >= ROUND_MS - 1_000 ? false : undefined;
}

const ROUND_MS = 5_000;

function count(header: string | string[] | undefined, least: number): number | undefined {
  const text = single(header);
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** The value of a header that may be repeated. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
