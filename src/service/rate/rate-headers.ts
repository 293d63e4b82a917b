/**
 * What an answer says about the rate limit; nothing here reads a clock. Three forms are known:
 *
 * - `X-RateLimit-Limit`, `-Remaining` and `-Reset`, with or without `X-`, for one window. The unit of the reset is not
 *   documented, so its size decides.
 * - `RateLimit` and `RateLimit-Policy`, for any number of windows. Source: draft-ietf-httpapi-ratelimit-headers-08 and
 *   later; also the form of draft 07, with one window.
 * - `Retry-After`, which `refusal.ts` reads together with the body.
 */

/** The rate limit headers of an answer. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One window of the limit. */
export interface WindowReading {
  /** The name of its policy; empty if the form has no names. */
  readonly name: string;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Undefined if the header is missing or invalid. */
  readonly reset: ResetHeader | undefined;
  /** Its length as the policy says, in ms. */
  readonly lengthMs?: number | undefined;
}

export interface RateReading {
  readonly windows: readonly WindowReading[];
  /** The service's time, in ms since the epoch in whole seconds (RFC 9110, section 6.6.1). */
  readonly date: number | undefined;
}

/** A reset as in the header: `seconds` or `ms` from the answer on, or since the epoch in whole seconds or in ms. */
export interface ResetHeader {
  readonly unit: "seconds" | "ms" | "epoch" | "epoch-ms";
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
  const structured = structuredWindows(headers);
  return {
    windows: structured.length > 0 ? structured : countingWindow(headers),
    date: httpDate(single(headers["date"])),
  };
}

/** The window with the fewest requests left: the one that people ask about. */
export function tightestWindow({ windows }: RateReading): WindowReading | undefined {
  const leftIn = ({ remaining = Infinity }: WindowReading): number => remaining;
  return windows.toSorted((a, b) => leftIn(a) - leftIn(b))[0];
}

/**
 * The window of `X-RateLimit-*` or `RateLimit-*`. The reset without `X-` is in seconds, by drafts 00 to 07, but some
 * servers write a time there, too.
 */
function countingWindow(headers: Headers): readonly WindowReading[] {
  const named = (name: string): string | undefined =>
    single(headers[`x-ratelimit-${name}`]) ?? single(headers[`ratelimit-${name}`]);
  const limit = count(named("limit"), 1);
  const remaining = count(named("remaining"), 0);
  const plain = count(single(headers["ratelimit-reset"]), 0);
  const isDraft = headers["x-ratelimit-reset"] === undefined && plain !== undefined && plain < EPOCH_FROM;
  const reset = isDraft
    ? ({ unit: "seconds", ms: plain * 1_000, isCoarse: true } as const)
    : resetHeader(resetValue(named("reset")));
  return limit === undefined && remaining === undefined && reset === undefined
    ? []
    : [{ name: "", limit, remaining, reset }];
}

/** Numbers up to this are seconds from now: the documented limit is per minute, and no window of it lasts an hour. */
const SECONDS_TO = 3_600;
/** Up to this, they are ms from now. Numbers from the next one on are times since the epoch: in seconds, */
const MS_TO = 3_600_000;
const EPOCH_FROM = 1e8;
/** and from here on in ms. */
const EPOCH_MS_FROM = 1e11;

function resetHeader(value: number): ResetHeader | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  if (value >= EPOCH_MS_FROM) return { unit: "epoch-ms", ms: value, isCoarse: false };
  const isCoarse = Number.isInteger(value);
  if (value >= EPOCH_FROM) return { unit: "epoch", ms: value * 1_000, isCoarse };
  if (value <= SECONDS_TO) return { unit: "seconds", ms: value * 1_000, isCoarse };
  return value <= MS_TO ? { unit: "ms", ms: value, isCoarse: false } : undefined;
}

/** A number, or ms since the epoch of a time as Mastodon writes it: `2027-03-01T08:00:00.000000Z`. NaN for anything else. */
function resetValue(text: string | undefined): number {
  if (text === undefined || !/^\s*\d{4}-\d\d-\d\dT[\d:.]+Z\s*$/.test(text)) return number(text);
  return Date.parse(text.trim());
}

/** The windows of `RateLimit`, with what `RateLimit-Policy` says about each. */
function structuredWindows(headers: Headers): readonly WindowReading[] {
  const policies = new Map(items(headers["ratelimit-policy"]).map((item) => [item.name, item]));
  const windows = items(headers["ratelimit"]).map((item) => windowOf(item, policies.get(item.name)));
  return windows.filter((each) => each !== undefined).slice(0, MAX_WINDOWS);
}

/** No service needs more, in windows and in UTF-16 units of a header. */
const MAX_WINDOWS = 10;
const MAX_HEADER = 4_096;

function windowOf({ name, has }: Item, policy: Item | undefined): WindowReading | undefined {
  const counts = policy?.has.get("qu") ?? "requests";
  // A quota of bytes, for example, does not count requests.
  if (!/^requests?$/.test(counts)) return undefined;
  const remaining = count(has.get("r") ?? has.get("remaining"), 0);
  const seconds = count(has.get("t") ?? has.get("reset"), 0);
  const length = count(policy?.has.get("w"), 1);
  if (remaining === undefined) return undefined;
  return {
    name,
    limit: count(policy?.has.get("q") ?? has.get("limit"), 1),
    remaining,
    reset: seconds === undefined ? undefined : { unit: "seconds", ms: seconds * 1_000, isCoarse: true },
    ...(length === undefined ? {} : { lengthMs: length * 1_000 }),
  };
}

/** A member of a list of structured fields (RFC 9651, section 3.1): its name and its parameters. */
interface Item {
  readonly name: string;
  readonly has: ReadonlyMap<string, string>;
}

/** The members of a header: `"day";q=250;w=86400, "burst";q=100;w=900`. Draft 07 has neither names nor `;`. */
function items(header: string | string[] | undefined): readonly Item[] {
  const text = (Array.isArray(header) ? header.join(",") : (header ?? "")).slice(0, MAX_HEADER);
  const members = split(text, ",").filter((each) => each !== "");
  if (members.every((each) => /^[a-z]+\s*=\s*\d+$/.test(each)) && members.length > 0)
    return [{ name: "", has: parameters(members) }];
  return members.map((member) => {
    const [name = "", ...rest] = split(member, ";");
    // Draft 07 gives the quota in place of a name: `100;w=60`.
    return /^\d+$/.test(name)
      ? { name: "", has: new Map([["q", name], ...parameters(rest)]) }
      : { name: unquoted(name), has: parameters(rest) };
  });
}

function parameters(parts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    parts.map((part) => {
      const [name = "", value = ""] = split(part, "=");
      return [name, unquoted(value)];
    }),
  );
}

/** The parts between separators that are not within quotes, without spaces around them. */
function split(text: string, separator: string): string[] {
  const parts = [""];
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === separator && !isQuoted) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, "$1");
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
