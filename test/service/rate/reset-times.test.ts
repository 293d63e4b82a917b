import { expect, test } from "vitest";
import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { ResetTimes } from "../../../src/service/rate/reset-times.ts";

const START = Date.parse("2030-01-01T12:00:07.300Z");

/** An answer with the reset in whole seconds, since the epoch or from now on. */
function coarse(
  seconds: number,
  given: { remaining?: number; refused?: boolean; unit?: "epoch" } = {},
): RateObservation {
  const { remaining = 10, refused = false, unit = "seconds" } = given;
  const reset = { unit, ms: seconds * 1_000, isCoarse: true } as const;
  return { reading: { limit: 30, remaining, reset, date: undefined }, refused, retryAfterMs: undefined };
}

/** The end of a window after its first answer, ms after the start. */
function begun(times: ResetTimes, news: RateObservation, sentAt: number): number {
  const [sent, received] = [START + sentAt, START + sentAt + 20];
  times.observe(news.reading, sent, received);
  const told = times.reportedEnd(news.reading, sent, received);
  if (told === undefined) throw new Error("No reset is told.");
  const end = times.windowStarted(news, told, sent, received);
  times.windowEnded(end);
  return end.at - START;
}

test("an end without an explanation is the latest time that the rounded seconds allow", () => {
  expect(begun(new ResetTimes(), coarse(23), 0)).toBe(24_020);
});

test.each([10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600])(
  "a window of %i seconds ends that long after its first request",
  (seconds) => {
    expect(begun(new ResetTimes(), coarse(seconds, { remaining: 29 }), 0)).toBe(seconds * 1_000 + 20);
  },
);

/** Whole seconds since the epoch, ms after the start. */
const epoch = (at: number): number => Math.round((START + at) / 1_000);

test("an explanation of the rate limit that was wrong once is not used again", () => {
  const times = new ResetTimes();
  const first = begun(times, coarse(epoch(60_000), { remaining: 29, unit: "epoch" }), 0);
  expect(first).toBe(60_020);
  const refused = coarse(epoch(60_000), { remaining: 0, refused: true, unit: "epoch" });
  expect(begun(times, refused, first)).toBe(60_725);
  const later = coarse(epoch(130_000), { remaining: 29, unit: "epoch" });
  expect(begun(times, later, 70_000)).toBe(131_700);
});

test("a later answer can move the end of the window to an earlier time", () => {
  const times = new ResetTimes();
  const told = [
    [coarse(23), 0],
    [coarse(22), 100],
  ] as const;
  const [first, second] = told.map(([{ reading }, at]) =>
    times.reportedEnd(reading, START + at, START + at + 20),
  );
  if (first === undefined || second === undefined) throw new Error("No reset is told.");
  expect(first.at - START).toBe(24_020);
  expect(times.join(first, second).at - START).toBe(23_120);
  expect(times.join(second, first).at - START).toBe(23_120);
});

test.each([
  ["an hour", 3_600, true],
  ["more than an hour", 3_602, false],
])("plancast follows a window that lasts %s: %s seconds, %s", (_long, seconds, isBelieved) => {
  const { reading } = coarse(seconds);
  const told = new ResetTimes().reportedEnd(
    { ...reading, reset: { unit: "seconds", ms: seconds * 1_000, isCoarse: false } },
    START,
    START,
  );
  expect(told !== undefined).toBe(isBelieved);
});
