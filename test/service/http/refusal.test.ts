import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type EarlierAttempts,
  type Repeat,
  type ServiceError,
  bodyOf,
  decideRetry,
  refusalOf,
} from "../../../src/service/http/refusal.ts";
import type { HttpAnswer, HttpFault } from "../../../src/service/http/request.ts";

test.each<[string, unknown]>([
  ['{"id":1234567890123456705}', { id: "1234567890123456705" }],
  ['[{"id": -1234567890123456705 , "n":1}]', [{ id: "-1234567890123456705", n: 1 }]],
  [
    '{"text":"a 12345678901234567890 b \\" 12345678901234567890"}',
    { text: 'a 12345678901234567890 b " 12345678901234567890' },
  ],
  [
    '{"n":123456789012345,"f":0.12345678901234567,"e":12345678901234567e3}',
    { n: 123456789012345, f: Number("0.12345678901234567"), e: Number("12345678901234567e3") },
  ],
  ["1234567890123456705", "1234567890123456705"],
  ['{"id":1234567890123456705', undefined],
])("decodes an error given as %s", (text, expected) => {
  expect(bodyOf({ kind: "answer", status: 200, headers: {}, text })).toEqual(expected);
});

test.each<[string, string]>([
  ['{"error":{"code":"validation_error","message":"Too long."}}', "Too long."],
  ['{"errors":[{"status":"422","title":"bad","detail":"Too long."}]}', "HTTP 422: Too long"],
  ['{"type":"about:blank","title":"Bad","status":422,"detail":"Too long."}', "HTTP 422: Too long"],
  ['{"error":"Too long"}', "HTTP 422: Too long"],
  ['{"errors":{"message":"Too long"}}', "HTTP 422: Too long"],
  ['"Too long"', "HTTP 422: Too long"],
  ['{"errors":[[[["x"]]]]}', "HTTP 422 with no error object"],
  ['{"errors":[]}', "HTTP 422 with no error object"],
  ["", "HTTP 422 with an empty body"],
  ["<html><title>Bad</title>", 'HTTP 422 with a page ("Bad")'],
])("shows the message of a refusal: %s", (text, message) => {
  expect(refusalOf({ kind: "answer", status: 422, headers: {}, text }, 0)).toMatchObject({
    code: "validation_error",
    message,
  });
});

test.each<[number, string]>([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [410, "not_found"],
  [400, "validation_error"],
  [409, "validation_error"],
  [413, "validation_error"],
  [415, "validation_error"],
  [422, "validation_error"],
  [429, "rate_limit_exceeded"],
  [418, "http_418"],
  [503, "http_503"],
])("a refusal without a code has that of its status: %i is %s", (status, code) => {
  expect(refusalOf({ kind: "answer", status, headers: {}, text: "" }, 0)).toMatchObject({ code });
});

test("keeps every digit of an id of 16 digits or more", () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{13,24}$/);
  fc.assert(
    fc.property(fc.nat(40), digits, (before, id) => {
      const text = `{"text":"${"x".repeat(before)}","id":${id}}`;
      const body = { text: "x".repeat(before), id: id.length < 16 ? Number(id) : id };
      expect(bodyOf({ kind: "answer", status: 200, headers: {}, text })).toEqual(body);
    }),
  );
});

const NOW = Date.parse("2030-01-01T00:00:00Z");
const DAY_MS = 86_400_000;

function told(retryAfter: unknown, headers: Record<string, string> = {}): number | undefined {
  const body = { error: { code: "rate_limit_exceeded", message: "no", retry_after: retryAfter } };
  return refusalOf({ kind: "answer", status: 429, headers, text: JSON.stringify(body) }, NOW)?.retryAfterMs;
}

test.each([
  [7, 7_000],
  ["7", 7_000],
  [1.5, 1_500],
  [0, 0],
  [-3, undefined],
  [null, undefined],
  ["", undefined],
  ["soon", undefined],
  [true, undefined],
])("reads a time in the body: %j", (value, expected) => {
  expect(told(value)).toBe(expected);
});

test.each([
  ["7", 7_000],
  ["-7", undefined],
  ["Tue, 01 Jan 2030 00:00:09 GMT", 9_000],
  ["Mon, 31 Dec 2029 23:00:00 GMT", 0],
  ["whenever", undefined],
])("reads a Retry-After header: %j", (value, expected) => {
  expect(told(undefined, { "retry-after": value })).toBe(expected);
});

test("measures a date from the answer's own date, not from the local clock", () => {
  const date = new Date(NOW + DAY_MS).toUTCString();
  expect(told(undefined, { "retry-after": new Date(NOW + DAY_MS + 5_000).toUTCString(), date })).toBe(5_000);
});

test("uses the longer time of header and body", () => {
  expect(told(3, { "retry-after": "9" })).toBe(9_000);
  expect(told(9, { "retry-after": "3" })).toBe(9_000);
});

const FRESH: EarlierAttempts = { trouble: 0, refusedForMs: 0, now: 0, maxRefusedMs: 900_000 };
const answer: HttpAnswer = { kind: "answer", status: 200, headers: {}, text: "" };

function fault(sent: boolean): HttpFault {
  return { kind: "fault", sent, reason: "the connection was reset", code: "ECONNRESET" };
}

function error(code: ServiceError["code"], status: number, retryAfterMs?: number): ServiceError {
  return { code, status, message: "no", retryAfterMs };
}

/** The table of outcomes: what happened to a request, and what plancast does then. */
test.each<[string, Repeat, HttpAnswer | HttpFault, ServiceError | undefined, EarlierAttempts, string]>([
  ["an answer", "once", answer, undefined, FRESH, "accept"],
  ["no connection", "once", fault(false), undefined, FRESH, "again"],
  [
    "no connection, four times",
    "once",
    fault(false),
    undefined,
    { trouble: 3, refusedForMs: 0, now: 0, maxRefusedMs: 900_000 },
    "unreachable",
  ],
  ["a reset after sending", "once", fault(true), undefined, FRESH, "unknown"],
  ["a reset after sending a read", "repeatable", fault(true), undefined, FRESH, "again"],
  [
    "a reset of a read, four times",
    "repeatable",
    fault(true),
    undefined,
    { trouble: 3, refusedForMs: 0, now: 0, maxRefusedMs: 900_000 },
    "unknown",
  ],
  ["500", "once", answer, error("http_500", 500), FRESH, "unknown"],
  ["502 in HTML", "once", answer, error("http_502", 502), FRESH, "unknown"],
  ["500 to a read", "repeatable", answer, error("http_500", 500), FRESH, "again"],
  ["a platform in trouble, as 5xx", "once", answer, error("platform_error", 502), FRESH, "unknown"],
  ["a platform in trouble, as 4xx", "once", answer, error("platform_error", 424), FRESH, "refused"],
  ["an invalid post", "once", answer, error("validation_error", 422), FRESH, "refused"],
  ["a bad key", "once", answer, error("unauthorized", 401), FRESH, "refused"],
  ["a missing right", "once", answer, error("forbidden", 403), FRESH, "refused"],
  ["an invalid post, as 500", "once", answer, error("validation_error", 500), FRESH, "refused"],
  ["an error in a 200", "once", answer, error("validation_error", 200), FRESH, "refused"],
  ["a 408 to a create", "once", answer, error("http_408", 408), FRESH, "unknown"],
  ["a 303 to a create", "once", answer, error("http_303", 303), FRESH, "unknown"],
  ["a 304 to a read", "repeatable", answer, error("http_304", 304), FRESH, "refused"],
  ["the rate limit", "once", answer, error("rate_limit_exceeded", 429, 7_000), FRESH, "queue"],
  [
    "the rate limit, for a quarter of an hour",
    "once",
    answer,
    error("rate_limit_exceeded", 429, 7_000),
    { trouble: 0, refusedForMs: 901_000, now: 0, maxRefusedMs: 900_000 },
    "refused",
  ],
  [
    "a rate limit of three hours",
    "once",
    answer,
    error("rate_limit_exceeded", 429, 3 * 3_600_000),
    FRESH,
    "refused",
  ],
  [
    "a rate limit of sixty years, which is absurd",
    "once",
    answer,
    error("rate_limit_exceeded", 429, 1_893_456_000_000),
    FRESH,
    "queue",
  ],
])("%s (%s): %s", (_name, repeat, result, refusal, before, next) => {
  expect(decideRetry(repeat, { result, error: refusal }, before, 0.5).next).toBe(next);
});

test("reports a wait that is too long", () => {
  const refusal = error("rate_limit_exceeded", 429, 3 * 3_600_000);
  expect(decideRetry("once", { result: answer, error: refusal }, FRESH, 0.5)).toMatchObject({
    error: { message: "no It asks plancast to wait until 1970-01-01T03:00Z." },
  });
});
