/** The spacing of a pool. */
import { expect, test } from "vitest";
import { spacingDays } from "../../src/checks/read-pool.ts";

test.each([
  ["10", 10],
  ["10d", 10],
  ["2 weeks", 14],
  ["1 day", 1],
  ["4W", 28],
])("%s", (text, days) => {
  expect(spacingDays(text)).toBe(days);
});

test.each(["0", "367", "2 Wochen", "two weeks", "10 x", "", "10th"])("%s is not a spacing", (text) => {
  expect(spacingDays(text)).toBeUndefined();
});
