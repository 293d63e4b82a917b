import { expect, test } from "vitest";
import { ServiceClock } from "../../../src/service/rate/reset-times.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const DAY_MS = 86_400_000;

test("trusts the local clock if there are no Date headers, or if they agree with it", () => {
  const clock = new ServiceClock();
  expect(clock.likelyLocal(NOW)).toBe(NOW);
  clock.observe(undefined, NOW, NOW + 5);
  clock.observe(NOW - 1_000, NOW - 300, NOW - 200);
  expect(clock.likelyLocal(NOW)).toBe(NOW);
});

test.each([DAY_MS, -DAY_MS, 5_000, -5_000])(
  "corrects times if the service's clock is %i ms ahead",
  (aheadMs) => {
    const clock = new ServiceClock();
    for (const at of [300, 900, 1_200, 2_700]) {
      const date = Math.floor((NOW + at + aheadMs) / 1_000) * 1_000;
      clock.observe(date, NOW + at - 10, NOW + at + 10);
    }
    const reset = NOW + aheadMs + 30_000;
    const { from, to } = clock.local(reset);
    expect(from).toBeLessThanOrEqual(NOW + 30_000);
    expect(to).toBeGreaterThanOrEqual(NOW + 30_000);
    expect(to - from).toBeLessThan(1_200);
    expect(clock.likelyLocal(reset)).toBe(to);
  },
);

test("learns a clock again after it is set", () => {
  const clock = new ServiceClock();
  clock.observe(NOW, NOW, NOW + 10);
  clock.observe(NOW + DAY_MS, NOW + 100, NOW + 110);
  expect(Math.abs(clock.likelyLocal(NOW + DAY_MS) - NOW)).toBeLessThan(1_200);
});

test("uses a moment that both clocks know, unless it contradicts the Date headers", () => {
  const clock = new ServiceClock();
  clock.compare(NOW + 400, { from: NOW, to: NOW + 20 });
  expect(clock.local(NOW + 400)).toEqual({ from: NOW, to: NOW + 20 });
  clock.compare(NOW + DAY_MS, { from: NOW, to: NOW });
  expect(clock.local(NOW + 400)).toEqual({ from: NOW, to: NOW + 20 });
});
