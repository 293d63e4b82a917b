import { describe, expect, test } from "vitest";
import type { ResetHeader, WindowReading } from "../../../src/service/rate/rate-headers.ts";
import { type WindowEnd, WindowEnds, isSameEnd, joinEnds } from "../../../src/service/rate/window-ends.ts";

/** All times in this file are ms after this one. */
const START = Date.parse("2030-01-01T12:00:07.300Z");
const DAY_MS = 86_400_000;
/** How long each request takes, in ms. */
const TAKES = 20;

/** An answer with the reset in whole seconds, since the epoch or from now on. */
function coarse(seconds: number, more: Partial<WindowReading> = {}, unit: "seconds" | "epoch" = "seconds") {
  const reset = { unit, ms: seconds * 1_000, isCoarse: true } as const;
  return { name: "", limit: 30, remaining: 10, reset, ...more };
}

/** Whole seconds since the epoch, ms after the start. */
const epoch = (at: number): number => Math.round((START + at) / 1_000);

function reportedAt(ends: WindowEnds, reading: WindowReading, sentAt: number): WindowEnd {
  const end = ends.reported(reading, START + sentAt, START + sentAt + TAKES);
  if (end === undefined) throw new Error("No end is reported.");
  return end;
}

/** When a window counts as over after its first answer, ms after the start. */
function begun(
  ends: WindowEnds,
  reading: WindowReading,
  { sentAt = 0, refused = false, follows = false } = {},
): number {
  const receivedAt = START + sentAt + TAKES;
  const first = { reading, refused, sentAt: START + sentAt, receivedAt, follows };
  return ends.begun(reportedAt(ends, reading, sentAt), first).at - START;
}

test("without an explanation, the latest time counts that the rounded seconds allow", () => {
  expect(begun(new WindowEnds(), coarse(23))).toBe(24_000 + TAKES);
});

test.each([10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600])(
  "a window of %i seconds ends that long after its first request",
  (seconds) => {
    expect(begun(new WindowEnds(), coarse(seconds, { remaining: 29 }))).toBe(seconds * 1_000 + TAKES);
  },
);

test("a window of a policy lasts as long as the policy says", () => {
  const policy = coarse(8, { remaining: 29, lengthMs: 7_000 });
  expect(begun(new WindowEnds(), policy)).toBe(7_000 + TAKES);
});

test("a window after a wait began with it, whoever used it first", () => {
  expect(begun(new WindowEnds(), coarse(10, { remaining: 3 }), { follows: true })).toBe(10_000 + TAKES);
  expect(begun(new WindowEnds(), coarse(10, { remaining: 3 }))).toBe(11_000 + TAKES);
});

test("an end at the full minute explains a window that began earlier", () => {
  expect(begun(new WindowEnds(), coarse(epoch(52_700), {}, "epoch"))).toBe(52_725);
});

test("after an explanation that was wrong, only the latest possible end counts", () => {
  const ends = new WindowEnds();
  expect(begun(ends, coarse(epoch(60_000), { remaining: 29 }, "epoch"))).toBe(60_000 + TAKES);
  ends.wasTooEarly();
  expect(begun(ends, coarse(epoch(130_000), { remaining: 29 }, "epoch"), { sentAt: 70_000 })).toBe(131_700);
});

test("a later answer can move the end of a window to an earlier time", () => {
  const ends = new WindowEnds();
  const [first, second] = [reportedAt(ends, coarse(23), 0), reportedAt(ends, coarse(22), 100)];
  expect(isSameEnd(first, second)).toBe(true);
  expect(joinEnds(first, second).at - START).toBe(23_100 + TAKES);
  expect(joinEnds(second, first).at - START).toBe(23_100 + TAKES);
});

function reset(unit: ResetHeader["unit"], ms: number): ResetHeader {
  return { unit, ms, isCoarse: false };
}

describe("resets", () => {
  test.each<[string, ResetHeader, number | undefined, boolean]>([
    ["an hour", reset("seconds", 3_600_000), undefined, true],
    ["more than an hour", reset("seconds", 3_602_000), undefined, false],
    ["a month of a policy", reset("seconds", 30 * DAY_MS), 30 * DAY_MS, true],
    ["a year of a policy", reset("seconds", 365 * DAY_MS), 365 * DAY_MS, false],
    ["a time that has just passed", reset("epoch-ms", START - 1_000), undefined, true],
    ["a time long ago", reset("epoch-ms", START - 60_000), undefined, false],
    ["a time next week", reset("epoch-ms", START + 7 * DAY_MS), undefined, false],
  ])("%s: believed or not", (_what, given, lengthMs, isBelieved) => {
    const reading = { name: "", limit: 30, remaining: 1, reset: given, lengthMs };
    expect(new WindowEnds().reported(reading, START, START) !== undefined).toBe(isBelieved);
  });
});

/** A time of the service's clock as a span of the local one. */
function at(ends: WindowEnds, serviceTime: number): WindowEnd {
  return reportedAt(ends, { ...coarse(0), reset: reset("epoch-ms", serviceTime) }, 0);
}

describe("the service's clock", () => {
  test("counts as equal if no Date contradicts it", () => {
    const ends = new WindowEnds();
    ends.observe(undefined, START, START + 5);
    ends.observe(START - 1_000, START - 300, START - 200);
    expect(at(ends, START + 5_000)).toMatchObject({ from: START + 4_975, to: START + 5_025 });
  });

  test.each([DAY_MS, -DAY_MS, 5_000, -5_000])("is corrected if it is %i ms ahead", (aheadMs) => {
    const ends = new WindowEnds();
    for (const ms of [300, 900, 1_200, 2_700]) {
      const date = Math.floor((START + ms + aheadMs) / 1_000) * 1_000;
      ends.observe(date, START + ms - 10, START + ms + 10);
    }
    const { from, to } = at(ends, START + aheadMs + 30_000);
    expect(from).toBeLessThanOrEqual(START + 30_000);
    expect(to).toBeGreaterThanOrEqual(START + 30_000);
    expect(to - from).toBeLessThan(1_200);
  });

  test("is learnt again after it is set", () => {
    const ends = new WindowEnds();
    ends.observe(START, START, START + 10);
    ends.observe(START + DAY_MS, START + 100, START + 110);
    const { to } = at(ends, START + DAY_MS + 5_000);
    expect(Math.abs(to - START - 5_000)).toBeLessThan(1_300);
  });
});
