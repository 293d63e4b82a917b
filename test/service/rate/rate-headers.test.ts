import { expect, test } from "vitest";
import { readRateHeaders } from "../../../src/service/rate/rate-headers.ts";

test.each([
  ["42", { unit: "seconds", ms: 42_000, isCoarse: true }],
  ["0", { unit: "seconds", ms: 0, isCoarse: true }],
  ["1.25", { unit: "seconds", ms: 1_250, isCoarse: false }],
  ["1893456042", { unit: "epoch", ms: 1_893_456_042_000, isCoarse: true }],
  ["1893456042000", { unit: "epoch-ms", ms: 1_893_456_042_000, isCoarse: false }],
  ["", undefined],
  ["soon", undefined],
  ["-5", undefined],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["1e400", undefined],
])("recognises the unit of a reset of %j by its size", (reset, expected) => {
  expect(readRateHeaders({ "x-ratelimit-reset": reset }).reset).toEqual(expected);
});

test.each([
  ["30", 30],
  ["0", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["many", undefined],
  ["", undefined],
])("reads a remaining count of %j as %j", (remaining, expected) => {
  expect(readRateHeaders({ "x-ratelimit-remaining": remaining }).remaining).toBe(expected);
});

test("ignores headers that are missing, repeated or invalid", () => {
  expect(readRateHeaders({})).toEqual({
    limit: undefined,
    remaining: undefined,
    reset: undefined,
    date: undefined,
  });
  expect(readRateHeaders({ "x-ratelimit-limit": ["30", "60"] }).limit).toBe(30);
  expect(readRateHeaders({ "x-ratelimit-limit": "0" }).limit).toBeUndefined();
  expect(readRateHeaders({ date: "yesterday" }).date).toBeUndefined();
  expect(readRateHeaders({ date: "Tue, 01 Jan 2030 00:00:00 GMT" }).date).toBe(1_893_456_000_000);
});

test("reads Bluesky's headers without X-, and the reset in Mastodon's format", () => {
  const bluesky = {
    "ratelimit-limit": "3000",
    "ratelimit-remaining": "2999",
    "ratelimit-reset": "1803888000",
  };
  expect(readRateHeaders(bluesky)).toMatchObject({
    limit: 3000,
    remaining: 2999,
    reset: { unit: "epoch", ms: 1_803_888_000_000 },
  });
  const mastodon = { "x-ratelimit-reset": "2027-03-01T08:05:00.000000Z" };
  expect(readRateHeaders(mastodon).reset).toEqual({
    unit: "epoch-ms",
    ms: Date.UTC(2027, 2, 1, 8, 5),
    isCoarse: false,
  });
  expect(readRateHeaders({ "x-ratelimit-reset": "2027-03-01" }).reset).toBeUndefined();
});
