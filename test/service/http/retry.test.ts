import { expect, test } from "vitest";
import type { ServiceError } from "../../../src/service/http/refusal.ts";
import type { HttpAnswer, HttpFault } from "../../../src/service/http/request.ts";
import { type EarlierAttempts, type Repeat, decideRetry } from "../../../src/service/http/retry.ts";

const FRESH: EarlierAttempts = { trouble: 0, refusedForMs: 0 };
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
    { trouble: 3, refusedForMs: 0 },
    "unreachable",
  ],
  ["a reset after sending", "once", fault(true), undefined, FRESH, "unknown"],
  ["a reset after sending a read", "repeatable", fault(true), undefined, FRESH, "again"],
  [
    "a reset of a read, four times",
    "repeatable",
    fault(true),
    undefined,
    { trouble: 3, refusedForMs: 0 },
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
    { trouble: 0, refusedForMs: 901_000 },
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
    error: { message: "no It asks plancast to wait 180 minutes." },
  });
});
