/** Two real processes that apply two projects with one key: nothing is refused, and the allowance is used. */
import { expect, test } from "vitest";
import { APPLY, perWindow, startMachines, summaryOf } from "./machines.ts";

test.each([
  ["epoch-ms", 3_000, 20, 45],
  // What is told in whole seconds is understood best where windows last as long as windows do.
  ["seconds", 10_000, 30, 35],
] as const)(
  "reset in %s, windows of %i ms",
  async (resetUnit, windowMs, limit, rows) => {
    const { service, checkout } = await startMachines({ limit: { perWindow: limit, windowMs, resetUnit } });
    const machines = await Promise.all([checkout("spring", rows), checkout("autumn", rows)]);
    const ended = await Promise.all(machines.map(({ run }) => run(...APPLY)));
    expect(ended.map(({ code, stderr }) => (code === 0 ? code : stderr))).toEqual([0, 0]);
    expect(ended.map((each) => summaryOf(each)["created"])).toEqual([rows, rows]);
    expect(service.counters.rateLimited).toBe(0);
    expect(service.duplicates()).toEqual([]);
    // In the last window there was not enough left to do.
    const full = perWindow(service, windowMs).slice(0, -1);
    const used = full.reduce((sum, count) => sum + count, 0);
    expect(full.length).toBeGreaterThanOrEqual(2);
    expect(used / (full.length * limit)).toBeGreaterThanOrEqual(0.95);
  },
  90_000,
);

test("a plan shares the limit, and needs no lock", async () => {
  const { service, checkout, redis } = await startMachines({
    limit: { perWindow: 10, windowMs: 2_000, resetUnit: "epoch-ms" },
  });
  const one = await checkout("spring", 25);
  const applying = one.start(...APPLY);
  await applying.waitFor("Waiting");
  const same = await checkout("spring", 25);
  const plans = await Promise.all([1, 2, 3].map(() => same.run("plan")));
  expect(plans.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await applying.ended).code).toBe(0);
  expect(service.counters.rateLimited).toBe(0);
  expect(await redis.client.keys("plancast:run:*")).toEqual([]);
}, 60_000);
