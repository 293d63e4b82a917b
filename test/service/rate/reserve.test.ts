import { expect, test } from "vitest";
import { reserveOf } from "../../../src/service/rate/limiter.ts";
import { configSchema } from "../../../src/calendars/check-project.ts";

test.each([
  [0, 30, 0],
  [10, 30, 10],
  ["20%", 30, 6],
  ["5%", 30, 2],
  ["0%", 30, 0],
  ["99%", 600, 594],
])("a reserve of %j of a limit of %i is %i", (reserve, limit, expected) => {
  expect(reserveOf(reserve, limit)).toBe(expected);
});

test.each([-1, 1.5, "100%", "20 %", "-5%", "many", "20"])("refuses %j as a reserve", (reserve) => {
  expect(configSchema.safeParse({ service: { reserve } }).success).toBe(false);
});
