/**
 * Reads refusals, in the service's own form, or in that of a proxy or gateway. Decides what to do after one attempt at a
 * request. Pure: nothing is sent or awaited here.
 */

import { z } from "zod";
import { type ErrorCode, ERROR_CODES } from "../../model/service-interface.ts";
import { httpDate, single } from "../rate/rate-headers.ts";
import { MAX_WAIT_MS, backoffMs, plausibleMs } from "../rate/backoff.ts";
import type { HttpAnswer, HttpFault } from "./request.ts";

export interface ServiceError {
  /** One of the service's codes; `http_<status>` if the answer has none. */
  readonly code: ErrorCode | `http_${number}`;
  readonly status: number;
  /** For people: the service's own message, or a replacement. Hostile text, not yet escaped. */
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().catch(""),
    retry_after: z
      .union([
        z.number(),
        z
          .string()
          .regex(/^\s*\d+(\.\d+)?\s*$/)
          .transform(Number),
      ])
      .pipe(z.number().nonnegative())
      .optional()
      .catch(undefined),
  }),
});

/**
 * A whole GraphQL request that was refused: without data, and its errors belong to no field. Sources: GraphQL 2021-10, section
 * 7.1, and developers.buffer.com, "Error handling".
 */
const graphqlError = z.object({
  data: z.null().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.undefined().optional(),
        extensions: z
          .object({
            code: z.string().optional().catch(undefined),
            retryAfter: z.number().nonnegative().optional().catch(undefined),
          })
          .optional()
          .catch(undefined),
      }),
    )
    .min(1),
});

/** Codes of GraphQL servers that say that nothing was done. */
const GRAPHQL_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ["GRAPHQL_PARSE_FAILED", "validation_error"],
  ["GRAPHQL_VALIDATION_FAILED", "validation_error"],
  ["BAD_USER_INPUT", "validation_error"],
  ["UNAUTHORIZED", "unauthorized"],
  ["UNAUTHENTICATED", "unauthorized"],
  ["FORBIDDEN", "forbidden"],
  ["NOT_FOUND", "not_found"],
  ["RATE_LIMIT_EXCEEDED", "rate_limit_exceeded"],
]);

/** What the code of a GraphQL error means; undefined if it does not say that nothing was done. */
export function graphqlCode(code: string | undefined): ErrorCode | undefined {
  return GRAPHQL_CODES.get(code ?? "");
}

const MAX_MESSAGE = 500;
/** A page's title is within this many UTF-16 units. */
const PAGE_HEAD = 65_536;

/**
 * The refusal in an answer; undefined if the answer is none. `now`: local ms, for a Retry-After date in an answer
 * without a Date.
 */
export function refusalOf(answer: HttpAnswer, now: number): ServiceError | undefined {
  const body = errorBody.safeParse(bodyOf(answer)).data;
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const [graphql] = graphqlError.safeParse(bodyOf(answer)).data?.errors ?? [];
  if (graphql !== undefined) return graphqlRefusal(answer, graphql, now);
  // Some services answer 200 with an error in the body.
  if (isSuccess && (body === undefined || codeOf(body.error.code) === undefined)) return undefined;
  const seconds = [body?.error.retry_after, retryAfterSeconds(answer, now)].filter(
    (each) => each !== undefined,
  );
  return {
    code:
      codeOf(body?.error.code) ?? outOfMoney(answer.status, body?.error.code) ?? codeOfStatus(answer.status),
    status: answer.status,
    message: messageOf(answer, body?.error),
    retryAfterMs: seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000,
  };
}

function graphqlRefusal(
  answer: HttpAnswer,
  { message, extensions }: z.infer<typeof graphqlError>["errors"][number],
  now: number,
): ServiceError {
  // Without a code, the request itself is wrong: too long, for example.
  const said = extensions?.code === undefined ? "validation_error" : graphqlCode(extensions.code);
  const isOk = answer.status < 300;
  const status = isOk && said === undefined ? 500 : answer.status;
  const known = isOk || extensions?.code !== undefined ? said : undefined;
  const seconds = retryAfterSeconds(answer, now) ?? extensions?.retryAfter;
  return {
    code: known ?? codeOfStatus(status),
    status,
    message: (message || `HTTP ${status}`).slice(0, MAX_MESSAGE),
    retryAfterMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}

function messageOf(answer: HttpAnswer, error: { code: string; message: string } | undefined): string {
  const { status, text } = answer;
  if (error !== undefined) return (error.message || error.code).slice(0, MAX_MESSAGE);
  const said = messageIn(bodyOf(answer));
  if (said !== undefined) return `HTTP ${status}: ${said.slice(0, MAX_MESSAGE)}`;
  const title = /<title[^<>]*>([^<]{1,200})/i.exec(text.slice(0, PAGE_HEAD))?.[1]?.trim();
  const what = /^\s*</.test(text) ? `a page${title === undefined ? "" : ` ("${title}")`}` : "no error object";
  return `HTTP ${status} with ${text.trim() === "" ? "an empty body" : what}`;
}

const MESSAGE_KEYS = [
  "detail",
  "message",
  "msg",
  "error_description",
  "error_message",
  "description",
  "title",
  "reason",
];

/**
 * The message of a refusal in another form, without the full stop: a problem of RFC 9457, a list of errors as in
 * JSON:API, or a lone text.
 */
function messageIn(body: unknown, depth = 0): string | undefined {
  if (typeof body === "string") return body.trim().replace(/\.$/, "") || undefined;
  if (typeof body !== "object" || body === null || depth > 2) return undefined;
  const at = new Map<string, unknown>(Object.entries(body));
  if (isTextList(body)) return body.slice(0, MAX_REASONS).join("; ").replace(/\.$/, "");
  if (Array.isArray(body)) return messageIn(body[0], depth + 1);
  const text = MESSAGE_KEYS.map((name) => at.get(name)).find(
    (each) => (typeof each === "string" && each.trim() !== "") || isTextList(each),
  );
  return messageIn(text ?? at.get("errors") ?? at.get("error"), depth + 1);
}

/** More reasons than these do not help. */
const MAX_REASONS = 3;

/** The reasons of NestJS: one text for each field that is wrong. */
function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
}

function codeOf(code: string | undefined): ErrorCode | undefined {
  return ERROR_CODES.find((known) => known === code);
}

/** OpenAI's code for "no money left". Unlike a rate limit, waiting does not help. */
function outOfMoney(status: number, code: string | undefined): ServiceError["code"] | undefined {
  return status === 429 && code === "insufficient_quota" ? "http_429" : undefined;
}

/** The statuses of the codes are not documented; these are HTTP's own meanings. */
function codeOfStatus(status: number): ServiceError["code"] {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
    case 410:
      return "not_found";
    case 400:
    case 409:
    case 413:
    case 415:
    case 422:
      return "validation_error";
    case 429:
      return "rate_limit_exceeded";
    default:
      return `http_${status}`;
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3), which is relative to the answer's own Date. */
function retryAfterSeconds({ headers }: HttpAnswer, now: number): number | undefined {
  const text = single(headers["retry-after"])?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (httpDate(single(headers["date"])) ?? now)) / 1_000;
}

/** Cached, because answers are read several times, and a list may be long. */
const bodies = new WeakMap<HttpAnswer, unknown>();

/** The JSON of an answer; undefined if it is invalid. */
export function bodyOf(answer: HttpAnswer): unknown {
  if (!bodies.has(answer)) bodies.set(answer, jsonOrUndefined(answer.text));
  return bodies.get(answer);
}

/** A variant of an answer with the same JSON, which need not be parsed again. */
export function withBodyOf(answer: HttpAnswer, other: HttpAnswer): HttpAnswer {
  bodies.set(other, bodyOf(answer));
  return other;
}

/** From this many digits on, JSON.parse may round a number. */
const LONG_DIGITS = 16;

/** Strings, which stay as they are (also without an end), and long whole numbers. */
const LONG_NUMBERS = new RegExp(
  String.raw`"(?:[^"\\]|\\[^])*(?:"|\\?$)|(?<![\d.eE+])-?\d{${LONG_DIGITS},}(?![\d.eE])`,
  "g",
);

/**
 * The JSON in a text, with long numbers as strings of their digits, because they are ids. Undefined if it is invalid.
 */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(mayHoldLongNumber(text) ? text.replaceAll(LONG_NUMBERS, quoted) : text);
  } catch {
    return undefined;
  }
}

const [ZERO, NINE] = [48, 57];

/** Only positions at this distance are checked, because a long number always covers one, and lists may be long. */
function mayHoldLongNumber(text: string): boolean {
  const isDigit = (at: number): boolean => text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE;
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(at)) continue;
    let [first, last] = [at, at];
    while (isDigit(first - 1)) first -= 1;
    while (isDigit(last + 1)) last += 1;
    if (last - first + 1 >= LONG_DIGITS) return true;
  }
  return false;
}

function quoted(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`;
}

/** How a request may be repeated: `once` must never be sent again after it may have arrived; `repeatable` may. */
export type Repeat = "once" | "repeatable";

export type RetryDecision =
  /** The service accepted the request; the answer's body has the details. */
  | { readonly next: "accept" }
  /** The service refused: nothing was done. */
  | { readonly next: "refused"; readonly error: ServiceError }
  /** Send it again after this time, in ms. */
  | { readonly next: "again"; readonly inMs: number; readonly why: string }
  /** Refused by the rate limit before it was handled: send it again when the limiter allows it. */
  | { readonly next: "queue" }
  /** Certainly not done, and a retry is useless. */
  | { readonly next: "unreachable"; readonly why: string }
  /** It may or may not have been done. */
  | { readonly next: "unknown"; readonly why: string };

/** Codes that mean that nothing was done, whatever the status: their statuses are not documented. */
const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "not_found", "validation_error"]);
/** Attempts at one request while the service or the network fails. */
const MAX_ATTEMPTS = 4;
/** A sender of this status gave up waiting, and may not know what the service did with the request. */
const REQUEST_TIMEOUT = 408;

export interface EarlierAttempts {
  /** Earlier attempts that failed. */
  readonly trouble: number;
  /** Ms since the rate limit first refused it. Other clients of the key may use up the limit. */
  readonly refusedForMs: number;
  /** How long it may refuse it, in ms. */
  readonly maxRefusedMs: number;
  /** Ms since the epoch. */
  readonly now: number;
}

export interface AttemptResult {
  readonly result: HttpAnswer | HttpFault;
  /** The refusal in the answer's body; undefined if there is none. */
  readonly error: ServiceError | undefined;
}

/** @param random from 0 to 1, so that clients that failed together do not retry together */
export function decideRetry(
  repeat: Repeat,
  tried: AttemptResult,
  before: EarlierAttempts,
  random: number,
): RetryDecision {
  const { result, error } = tried;
  if (result.kind === "fault") {
    if (result.sent && repeat === "once") return { next: "unknown", why: result.reason };
    return retryLater(before, random, result.reason, result.sent ? "unknown" : "unreachable");
  }
  if (error === undefined) return { next: "accept" };
  if (error.code === "rate_limit_exceeded") return afterRateLimit(error, before);
  // A redirect that cannot be followed does not show whether a create was done (303 even suggests it).
  const isRefusal =
    REFUSALS.has(error.code) ||
    error.status < 300 ||
    (error.status >= 400 && error.status < 500 && error.status !== REQUEST_TIMEOUT);
  if (isRefusal || (error.status < 400 && repeat === "repeatable")) return { next: "refused", error };
  // A gateway's 5xx does not show what the service did.
  if (repeat === "once") return { next: "unknown", why: error.message };
  return retryLater(before, random, error.message, "unknown");
}

function retryLater(
  { trouble }: EarlierAttempts,
  random: number,
  why: string,
  otherwise: "unknown" | "unreachable",
): RetryDecision {
  if (trouble + 1 >= MAX_ATTEMPTS) return { next: otherwise, why };
  return { next: "again", inMs: backoffMs(trouble, random), why };
}

function afterRateLimit(
  error: ServiceError,
  { refusedForMs, maxRefusedMs, now }: EarlierAttempts,
): RetryDecision {
  const waitMs = plausibleMs(error.retryAfterMs) ?? 0;
  if (waitMs > Math.min(MAX_WAIT_MS, maxRefusedMs)) {
    const until = new Date(now + waitMs).toISOString().slice(0, 16);
    const message = `${error.message} It asks plancast to wait until ${until}Z.`;
    return { next: "refused", error: { ...error, message } };
  }
  if (refusedForMs <= maxRefusedMs) return { next: "queue" };
  const message = `${error.message.replace(/\.$/, "")}. plancast tried again for ${Math.round(refusedForMs / 60_000)} minutes`;
  return { next: "refused", error: { ...error, message } };
}
