/** Refusals in the form of GraphQL: what they say about whether something was done. */
import { expect, test } from "vitest";
import { decideRetry, refusalOf } from "../../../src/service/http/refusal.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";

function answer(body: unknown, status = 200, headers: HttpAnswer["headers"] = {}): HttpAnswer {
  return { kind: "answer", status, headers, text: JSON.stringify(body) };
}

const error = (code: string | undefined, more: object = {}) => ({
  message: "No.",
  ...(code === undefined ? {} : { extensions: { code, ...more } }),
});

test.each([
  [{ errors: [error("UNAUTHORIZED")], data: null }, 200, "unauthorized"],
  [{ errors: [error("UNAUTHENTICATED")] }, 401, "unauthorized"],
  [{ errors: [error("FORBIDDEN")] }, 200, "forbidden"],
  [{ errors: [error("NOT_FOUND")] }, 200, "not_found"],
  [{ errors: [error("RATE_LIMIT_EXCEEDED", { retryAfter: 900 })] }, 429, "rate_limit_exceeded"],
  // A limit on queries has no code.
  [{ errors: [error(undefined)] }, 200, "validation_error"],
  [{ errors: [error("UNEXPECTED")] }, 200, "http_500"],
  [{ errors: [error("SOMETHING_NEW")] }, 200, "http_500"],
  [{ errors: [error(undefined)] }, 502, "http_502"],
])("%j with status %s is %s", (body, status, code) => {
  expect(refusalOf(answer(body, status), 0)).toMatchObject({ code, message: "No." });
});

test.each([
  { data: { a: null }, errors: [error("UNEXPECTED")] },
  { data: null, errors: [{ ...error("UNEXPECTED"), path: ["m3"] }] },
  { data: { posts: [] } },
  { errors: [] },
])("%j does not refuse the whole request", (body) => {
  expect(refusalOf(answer(body), 0)).toBeUndefined();
});

/** What happens after a refusal of a create with this code. */
function next(code: string): string {
  const result = answer({ errors: [error(code)] });
  const before = { trouble: 0, refusedForMs: 0, maxRefusedMs: 1_000, now: 0 };
  return decideRetry("once", { result, error: refusalOf(result, 0) }, before, 0).next;
}

test("a create counts as unknown after an unexpected error, and as refused after another one", () => {
  expect(["UNEXPECTED", "SOMETHING_NEW", "FORBIDDEN", "GRAPHQL_VALIDATION_FAILED"].map(next)).toEqual([
    "unknown",
    "unknown",
    "refused",
    "refused",
  ]);
});

test("the wait is that of the header, and otherwise that of the body", () => {
  const body = { errors: [error("RATE_LIMIT_EXCEEDED", { retryAfter: 900 })] };
  expect(refusalOf(answer(body, 429), 0)?.retryAfterMs).toBe(900_000);
  expect(refusalOf(answer(body, 429, { "retry-after": "30" }), 0)?.retryAfterMs).toBe(30_000);
});
