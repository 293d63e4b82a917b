/**
 * What an answer says about the rate limit; nothing here reads a clock. The unit of X-RateLimit-Reset is not
 * documented, so its size decides.
 */

/** The rate limit headers of an answer. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface RateReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Undefined if the header is missing or invalid. */
  readonly reset: ResetHeader | undefined;
  /** The service's time, in ms since the epoch in whole seconds (RFC 9110, section 6.6.1). */
  readonly date: number | undefined;
}

/** A reset as in the header: `seconds` from the answer on, or since the epoch in whole seconds or in ms. */
export interface ResetHeader {
  readonly unit: "seconds" | "epoch" | "epoch-ms";
  /** The value in ms, whatever its unit. */
  readonly ms: number;
  /** In whole seconds; how the service rounds is unknown. */
  readonly isCoarse: boolean;
}

/** What an answer says about the limit. */
export interface RateObservation {
  readonly reading: RateReading;
  /** Whether the limit refused the request. */
  readonly refused: boolean;
  /** How long to wait, if the answer says so, in ms. */
  readonly retryAfterMs: number | undefined;
}

/** Larger numbers are times since the epoch: in seconds from here on, in ms from the next one on. */
const EPOCH_FROM = 1e8;
const MILLISECONDS_FROM = 1e11;

/** Why the service refused a request. */
interface RefusedRequest {
  /** One of the service's codes. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;
}

/** What an answer says about the limit; `error` is the code with which it refused the request, if it did. */
export function rateObservation(headers: Headers, error: RefusedRequest | undefined): RateObservation {
  return {
    reading: readRateHeaders(headers),
    refused: error?.code === "rate_limit_exceeded",
    retryAfterMs: error?.retryAfterMs,
  };
}

export function readRateHeaders(headers: Headers): RateReading {
  const named = (name: string): string | undefined =>
    single(headers[`x-ratelimit-${name}`]) ?? single(headers[`ratelimit-${name}`]);
  return {
    limit: count(named("limit"), 1),
    remaining: count(named("remaining"), 0),
    reset: resetHeader(resetValue(named("reset"))),
    date: httpDate(single(headers["date"])),
  };
}

/** A number, or ms since the epoch of a time as Mastodon writes it: `2027-03-01T08:00:00.000000Z`. NaN for anything else. */
function resetValue(text: string | undefined): number {
  if (text === undefined || !/^\s*\d{4}-\d\d-\d\dT[\d:.]+Z\s*$/.test(text)) return number(text);
  return Date.parse(text.trim());
}

/** Seconds from now are small; seconds since the epoch have ten digits; ms have thirteen. */
function resetHeader(value: number): ResetHeader | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  if (value >= MILLISECONDS_FROM) return { unit: "epoch-ms", ms: value, isCoarse: false };
  const unit = value >= EPOCH_FROM ? "epoch" : "seconds";
  return { unit, ms: value * 1_000, isCoarse: Number.isInteger(value) };
}

function count(header: string | undefined, least: number): number | undefined {
  const value = number(header);
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** NaN for an invalid number. */
function number(header: string | undefined): number {
  const text = header?.trim() ?? "";
  return text === "" ? Number.NaN : Number(text);
}

/** The value of a header that may be repeated. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Ms since the epoch of an HTTP date (RFC 9110, section 5.6.7); undefined for anything else. */
export function httpDate(text: string | undefined): number | undefined {
  // Date.parse accepts too much, such as `-7`.
  if (text === undefined || !/^\s*[A-Za-z]{3,9},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
