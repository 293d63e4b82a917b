/** `retry_after` in the body and the `Retry-After` header, in the forms that services and proxies send. */

import { expect, test } from "vitest";
import { refusalOf } from "../../../src/service/http/refusal.ts";

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
