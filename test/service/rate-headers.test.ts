import { expect, test } from "vitest";
import { narrowSkew, readRateHeaders, skewMs, UNKNOWN_SKEW } from "../../src/service/rate-headers.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

test.each([
  ["seconds from now", "42", 42_000],
  ["seconds since the epoch", String(NOW / 1_000 + 42), 42_000],
  ["ms since the epoch", String(NOW + 42_000), 42_000],
  ["a reset that has just been", String(NOW / 1_000 - 1), 0],
  ["now", "0", 0],
])("a reset in %s", (_name, reset, inMs) => {
  const { resetAt } = readRateHeaders({ "x-ratelimit-reset": reset }, NOW, UNKNOWN_SKEW);
  expect(resetAt).toBe(NOW + inMs);
});

test.each([
  "",
  "soon",
  "-5",
  "NaN",
  "0x10000000000000",
  "1e400",
  "631152000",
  "32472144000",
  "99999",
  "1893456000000000000",
])("a reset of %j is not believed", (reset) => {
  expect(readRateHeaders({ "x-ratelimit-reset": reset }, NOW, UNKNOWN_SKEW).resetAt).toBeUndefined();
});

test.each([
  ["30", 30],
  ["0", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["many", undefined],
  ["", undefined],
])("remaining %j is %j", (remaining, expected) => {
  expect(readRateHeaders({ "x-ratelimit-remaining": remaining }, NOW, UNKNOWN_SKEW).remaining).toBe(expected);
});

test("a wrong local clock is corrected by the Date header, one that may be right is not", () => {
  const hourAhead = { date: new Date(NOW + 3_600_000).toUTCString() };
  expect(skewMs(narrowSkew(UNKNOWN_SKEW, hourAhead, NOW - 20, NOW))).toBe(3_600_000);
  const right = { date: new Date(NOW - 700).toUTCString() };
  expect(skewMs(narrowSkew(UNKNOWN_SKEW, right, NOW - 20, NOW))).toBe(0);
  expect(skewMs(narrowSkew(UNKNOWN_SKEW, {}, NOW, NOW))).toBe(0);
  const reset = String((NOW + 3_600_000) / 1_000 + 30);
  const skew = narrowSkew(UNKNOWN_SKEW, hourAhead, NOW - 20, NOW);
  expect(readRateHeaders({ "x-ratelimit-reset": reset }, NOW, skew).resetAt).toBe(NOW + 30_000);
});
