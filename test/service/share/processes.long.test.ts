/** Several processes on one Redis, with windows as long as those of real services: kills and restarts. */

import { expect, test, vi } from "vitest";
import { useRedis } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { APPLY, failuresOf, holdPost, startMachines, summaryOf } from "./machines.ts";

vi.setConfig({ testTimeout: 180_000 });
const freshRedis = useRedis();
const ROWS = 30;
/** In the middle of a run, requests wait for the limit. That is when the test interferes. */
const SLOW = { limit: { perWindow: 12, windowMs: 4_000, resetUnit: "epoch-ms" } } as const;

test("two processes with windows of 10 s are never refused, and create all posts once", async () => {
  const { service, checkout } = await startMachines(await freshRedis(), {
    limit: { perWindow: 30, windowMs: 10_000, resetUnit: "seconds" },
  });
  const machines = await Promise.all([checkout("spring", 35), checkout("autumn", 35)]);
  const ended = await Promise.all(machines.map((each) => each.startProcess(...APPLY).ended));
  expect(failuresOf(ended)).toBe("");
  expect(ended.map((each) => summaryOf(each)["created"])).toEqual([35, 35]);
  expect(service.counters.rateLimited).toBe(0);
  expect(service.duplicates()).toEqual([]);
});

test("a process that waits for the lock takes it when the holder is killed, and finishes the work", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis(), SLOW);
  const [one, two] = [await checkout("spring", ROWS), await checkout("spring", ROWS)];
  const held = holdPost(service, 4);
  const first = one.startProcess(...APPLY);
  await held.arrived;
  const second = two.startProcess(...APPLY, "--lock-timeout", "2m");
  await second.waitFor("Waiting until it ends");
  first.kill("SIGKILL");
  held.release();
  const [lock = ""] = await redis.client.keys("plancast:run:*");
  await redis.client.pexpire(lock, 2_000);
  expect((await second.ended).code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
});

test("if a restart of Redis loses the lock of a process, that process ends, and the waiting process finishes the work", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis(), SLOW);
  const [one, two] = [await checkout("spring", ROWS), await checkout("spring", ROWS)];
  const first = one.startProcess(...APPLY);
  await until(() => service.counters.creates >= 6);
  await redis.restart();
  const second = two.startProcess(...APPLY, "--lock-timeout", "5m");
  const ended = await first.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("share/lock-lost");
  expect(summaryOf(ended)["not_started"]).toBeGreaterThan(0);
  expect((await second.ended).code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
});

test("a process whose Redis is killed finishes what is in flight and starts nothing else", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis(), SLOW);
  const one = await checkout("spring", ROWS);
  service.faults.at(9, { kind: "slow-after", ms: 8_000 }, { method: "POST" });
  const running = one.startProcess(...APPLY);
  await until(() => service.counters.creates >= 9);
  await redis.kill();
  const ended = await running.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("share/unreachable");
  const { created, not_started, unknown, failed } = summaryOf(ended);
  expect({ unknown, failed }).toEqual({ unknown: 0, failed: 0 });
  expect(Number(created) + Number(not_started)).toBe(ROWS);
  expect(created).toBe(service.counters.creates);
});
