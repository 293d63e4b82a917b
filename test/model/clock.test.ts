import { expect, test } from "vitest";
import { type Pace, waitMsFor } from "../../src/model/clock.ts";

const PACE: Pace = [{ free: 2, opensInMs: 10_000, perWindow: 3, windowMs: 60_000 }];

test.each([
  [1, 0],
  [2, 0],
  [3, 10_000],
  [5, 10_000],
  [6, 70_000],
  [9, 130_000],
])("request %i waits %i ms for the rate limit", (nth, ms) => {
  expect(waitMsFor(PACE, nth)).toBe(ms);
});
