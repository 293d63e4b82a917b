import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Headers,
  type WindowReading,
  readRateHeaders,
  tightestWindow,
} from "../../../src/service/rate/rate-headers.ts";

/** The only window of an answer. */
function only(headers: Headers): WindowReading | undefined {
  const { windows } = readRateHeaders(headers);
  expect(windows.length).toBeLessThanOrEqual(1);
  return windows[0];
}

test.each([
  ["42", { unit: "seconds", ms: 42_000, isCoarse: true }],
  ["0", { unit: "seconds", ms: 0, isCoarse: true }],
  ["1.25", { unit: "seconds", ms: 1_250, isCoarse: false }],
  ["3600", { unit: "seconds", ms: 3_600_000, isCoarse: true }],
  ["59500", { unit: "ms", ms: 59_500, isCoarse: false }],
  ["5000000", undefined],
  ["1893456042", { unit: "epoch", ms: 1_893_456_042_000, isCoarse: true }],
  ["1893456042000", { unit: "epoch-ms", ms: 1_893_456_042_000, isCoarse: false }],
  ["", undefined],
  ["soon", undefined],
  ["-5", undefined],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["1e400", undefined],
])("recognises the unit of a reset of %j by its size", (reset, expected) => {
  expect(only({ "x-ratelimit-reset": reset, "x-ratelimit-limit": "9" })?.reset).toEqual(expected);
});

test.each([
  ["30", 30],
  ["0", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["many", undefined],
  ["", undefined],
])("reads a remaining count of %j as %j", (remaining, expected) => {
  expect(only({ "x-ratelimit-remaining": remaining })?.remaining).toBe(expected);
});

test("ignores headers that are missing, repeated or invalid", () => {
  expect(readRateHeaders({})).toEqual({ windows: [], date: undefined });
  expect(only({ "x-ratelimit-limit": ["30", "60"] })?.limit).toBe(30);
  expect(only({ "x-ratelimit-limit": "0" })).toBeUndefined();
  expect(readRateHeaders({ date: "yesterday" }).date).toBeUndefined();
  expect(readRateHeaders({ date: "Tue, 01 Jan 2030 00:00:00 GMT" }).date).toBe(1_893_456_000_000);
});

test("reads Bluesky's headers without X-, and the reset in Mastodon's format", () => {
  const bluesky = {
    "ratelimit-limit": "3000",
    "ratelimit-remaining": "2999",
    "ratelimit-reset": "1803888000",
  };
  expect(only(bluesky)).toMatchObject({
    limit: 3000,
    remaining: 2999,
    reset: { unit: "epoch", ms: 1_803_888_000_000 },
  });
  const mastodon = { "x-ratelimit-reset": "2027-03-01T08:05:00.000000Z" };
  const ms = Date.UTC(2027, 2, 1, 8, 5);
  expect(only(mastodon)?.reset).toEqual({ unit: "epoch-ms", ms, isCoarse: false });
  expect(only({ "x-ratelimit-reset": "2027-03-01" })).toBeUndefined();
});

/** A window as the structured headers report it. */
function told(name: string, remaining: number, limit?: number, seconds?: number, lengthMs?: number) {
  const reset = seconds === undefined ? undefined : { unit: "seconds", ms: seconds * 1_000, isCoarse: true };
  return { name, limit, remaining, reset, ...(lengthMs === undefined ? {} : { lengthMs }) };
}

describe("RateLimit and RateLimit-Policy", () => {
  test.each<[string, Headers, readonly unknown[]]>([
    [
      "one policy",
      { ratelimit: '"default";r=50;t=30', "ratelimit-policy": '"default";q=100;w=60' },
      [told("default", 50, 100, 30, 60_000)],
    ],
    [
      "three windows in one header",
      {
        ratelimit: '"burst";r=80;t=600, "day";r=200;t=70000, "month";r=2900;t=2000000',
        "ratelimit-policy": '"burst";q=100;w=900, "day";q=250;w=86400, "month";q=3000;w=2592000',
      },
      [
        told("burst", 80, 100, 600, 900_000),
        told("day", 200, 250, 70_000, 86_400_000),
        told("month", 2_900, 3_000, 2_000_000, 2_592_000_000),
      ],
    ],
    [
      "a header for each window, beside the older headers",
      {
        ratelimit: ['"a";r=1;t=2', '"b";r=3'],
        "ratelimit-policy": ['"a";q=10;w=20', '"b";q=30;w=40'],
        "ratelimit-limit": "10",
        "ratelimit-remaining": "1",
        "ratelimit-reset": "2027-03-01T08:05:00.000Z",
      },
      [told("a", 1, 10, 2, 20_000), told("b", 3, 30, undefined, 40_000)],
    ],
    ["no policy", { ratelimit: "default;r=5;t=6" }, [told("default", 5, undefined, 6)]],
    [
      "a name with a comma, a semicolon and spaces",
      { ratelimit: ' "a, b; c" ; r=5 ; t=6 ', "ratelimit-policy": '"a, b; c";q=7;w=8' },
      [told("a, b; c", 5, 7, 6, 8_000)],
    ],
    [
      "the form of draft 07",
      { ratelimit: "limit=100, remaining=50, reset=5", "ratelimit-policy": "100;w=60" },
      [told("", 50, 100, 5, 60_000)],
    ],
    [
      "a quota of bytes beside one of requests",
      {
        ratelimit: '"bytes";r=1000;t=5, "calls";r=3;t=5',
        "ratelimit-policy": '"bytes";q=9000;qu="content-bytes";w=60, "calls";q=5;qu="requests";w=60',
      },
      [told("calls", 3, 5, 5, 60_000)],
    ],
    ["no count", { ratelimit: '"a";t=5' }, []],
    ["a policy alone", { "ratelimit-policy": '"a";q=5;w=60' }, []],
    ["negative numbers", { ratelimit: '"a";r=-5;t=-6' }, []],
    ["an open quote", { ratelimit: '"a;r=5;t=6' }, []],
    ["rubbish", { ratelimit: ';;,,==,"' }, []],
  ])("reads %s", (_what, headers, windows) => {
    expect(readRateHeaders(headers).windows).toEqual(windows);
  });

  test("reads at most ten windows, and any text without an error", () => {
    const many = Array.from({ length: 50 }, (_, index) => `"w${index}";r=1;t=1`).join(", ");
    expect(readRateHeaders({ ratelimit: many }).windows.length).toBe(10);
    const text = fc.string({ unit: fc.constantFrom('"', ",", ";", "=", "r", "t", "1", " ", "a") });
    fc.assert(
      fc.property(text, text, (ratelimit, policy) => {
        const { windows } = readRateHeaders({ ratelimit, "ratelimit-policy": policy });
        expect(windows.every(({ remaining }) => remaining !== undefined && remaining >= 0)).toBe(true);
      }),
    );
  });
});

test("the tightest window is the one with the fewest requests left", () => {
  const headers = { ratelimit: '"a";r=5;t=6, "b";r=2;t=900' };
  expect(tightestWindow(readRateHeaders(headers))?.name).toBe("b");
  expect(tightestWindow(readRateHeaders({}))).toBeUndefined();
});
