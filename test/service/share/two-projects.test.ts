/** Two projects that apply with one key keep the service's limit together. */

import { expect, test, vi } from "vitest";
import type { ForeignService } from "../../support/foreign-service.ts";
import { useRedis } from "../../support/redis-server.ts";
import { APPLY, failuresOf, holdPost, startMachines, summaryOf } from "./machines.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();
const LIMIT = { perWindow: 12, windowMs: 800, resetUnit: "epoch-ms" } as const;
/**
 * A request that leaves at the end of a window may arrive and count in the next one. Nobody can know that before. In
 * windows this short, each machine may have one such request per window. processes.long.test.ts has longer windows.
 */
function mayCross({ counters }: ForeignService): number {
  return 2 * Math.ceil(counters.requests / LIMIT.perWindow - 1);
}

test("two applies at once share the limit, and all posts are created once", async () => {
  const { service, checkout } = await startMachines(await freshRedis(), { limit: LIMIT });
  const machines = await Promise.all([checkout("spring", 14), checkout("autumn", 14)]);
  const ended = await Promise.all(machines.map(({ run }) => run(...APPLY)));
  expect(failuresOf(ended)).toBe("");
  expect(ended.map((each) => summaryOf(each)["created"])).toEqual([14, 14]);
  expect(service.counters.rateLimited).toBeLessThanOrEqual(mayCross(service));
  expect(service.duplicates()).toEqual([]);
});

test("a plan and a running apply of its project keep the limit together, and the plan needs no lock", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis(), { limit: LIMIT });
  const [one, two] = [await checkout("spring", 14), await checkout("spring", 14)];
  const held = holdPost(service, 3);
  const applying = one.start(...APPLY);
  await held.arrived;
  const planning = Promise.all([1, 2, 3].map(() => two.run("plan")));
  held.release();
  expect(failuresOf(await planning)).toBe("");
  expect((await applying.ended).code).toBe(0);
  expect(service.counters.rateLimited).toBeLessThanOrEqual(mayCross(service));
  expect(await redis.client.keys("plancast:run:*")).toEqual([]);
});
