/** Two checkouts of one project never apply at the same time, whichever process dies and whatever happens to Redis. */

import { expect, test, vi } from "vitest";
import { outageClock } from "../../support/outage-clock.ts";
import { type TestRedis, useRedis } from "../../support/redis-server.ts";
import { APPLY, holdPost, startMachines, summaryOf, unwrapped } from "./machines.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();
const ROWS = 12;

async function lockIn({ client }: TestRedis): Promise<string> {
  const [name] = await client.keys("plancast:run:*");
  if (name === undefined) throw new Error("nobody holds a run lock");
  return name;
}

async function isLocked({ client }: TestRedis): Promise<boolean> {
  return (await client.keys("plancast:run:*")).length > 0;
}

test.each([
  ["the project's name", "spring"],
  ["the lockfile's path where the project has no name", undefined],
])("refuses a second apply, and with --lock-timeout waits for the first: by %s", async (_by, name) => {
  const { service, checkout, redis } = await startMachines(await freshRedis());
  const [one, two] = [await checkout(name, ROWS), await checkout(name, ROWS)];
  const held = holdPost(service, 3);
  const first = one.start(...APPLY);
  await held.arrived;
  const lists = (): number => service.requests.filter(({ method }) => method === "GET").length;
  const before = lists();
  const refused = await two.run("apply", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("run/locked");
  expect(unwrapped(refused.stderr)).toMatch(new RegExp(`process ${process.pid} on \\S+ since 20\\d\\d-`));
  const waiting = two.start(...APPLY, "--lock-timeout", "5m");
  await waiting.waitFor("Waiting until it ends");
  expect(lists()).toBe(before);
  held.release();
  expect(summaryOf(await first.ended)).toMatchObject({ created: ROWS });
  const second = await waiting.ended;
  expect(second.code).toBe(0);
  expect(summaryOf(second)).toMatchObject({ created: 0 });
  expect(service.counters.creates).toBe(ROWS);
  expect(await isLocked(redis)).toBe(false);
});

test("a killed run keeps the lock until it expires, then another run finishes the work", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis());
  const config = { service: { timeout: "5s" } };
  const [one, two] = [await checkout("spring", ROWS, { config }), await checkout("spring", ROWS, { config })];
  const held = holdPost(service, 3);
  const first = one.startProcess(...APPLY);
  await held.arrived;
  first.kill("SIGKILL");
  await first.ended;
  const refused = await two.run("apply", "--yes");
  expect(unwrapped(refused.stderr)).toMatch(/its lock expires within \d+ seconds/);
  const name = await lockIn(redis);
  // The service's timeout and a second, 10 s for a connection, and 10 s to send a request.
  expect(await redis.client.pttl(name)).toBeGreaterThan(0);
  expect(await redis.client.pttl(name)).toBeLessThanOrEqual(26_000);
  held.release();
  await service.whenQuiet();
  await redis.client.pexpire(name, 1);
  const second = await two.run(...APPLY, "--lock-timeout", "1m");
  expect(second.code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
});

test("a run that loses Redis finishes what is in flight, starts nothing else, and says why", async () => {
  const redis = await freshRedis();
  const { service, checkout } = await startMachines(redis);
  const clock = outageClock(redis);
  const losing = await checkout("spring", ROWS, { clock });
  const run = async (): Promise<void> => {
    await redis.kill();
    // Longer than plancast waits for an answer of Redis.
    await clock.sleep(10_000);
  };
  service.faults.at(3, { kind: "run-after", run }, { method: "POST" });
  const ended = await losing.run(...APPLY);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("share/unreachable");
  const { created, not_started, unknown, failed } = summaryOf(ended);
  expect({ unknown, failed, all: Number(created) + Number(not_started) }).toEqual({
    unknown: 0,
    failed: 0,
    all: ROWS,
  });
  expect(not_started).toBeGreaterThan(0);
  expect(created).toBe(service.counters.creates);
  await redis.restart();
  expect(summaryOf(await losing.run(...APPLY))).toMatchObject({ created: not_started });
  expect(service.duplicates()).toEqual([]);
});

test("a run that loses its lock while it reads the service sends nothing", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis());
  const one = await checkout("spring", 3);
  const run = async (): Promise<void> => void (await redis.client.del(await lockIn(redis)));
  service.faults.at(1, { kind: "run-before", run }, { method: "GET" });
  const { code, stderr } = await one.run(...APPLY);
  expect(code).toBe(1);
  expect(stderr).toContain("share/lock-lost");
  expect(service.counters.creates).toBe(0);
});

test("an interrupted run gives the lock back", async () => {
  const { service, checkout, redis } = await startMachines(await freshRedis());
  const one = await checkout("spring", ROWS);
  const held = holdPost(service, 3);
  const running = one.start(...APPLY);
  await held.arrived;
  expect(await isLocked(redis)).toBe(true);
  running.stop();
  held.release();
  expect((await running.ended).code).toBe(130);
  expect(await isLocked(redis)).toBe(false);
});

test("two projects of different names are applied at the same time", async () => {
  const { service, checkout } = await startMachines(await freshRedis());
  const [one, two] = [await checkout("spring", ROWS), await checkout("autumn", 1)];
  const held = holdPost(service, 3);
  const first = one.start(...APPLY);
  await held.arrived;
  expect((await two.run(...APPLY)).code).toBe(0);
  held.release();
  expect((await first.ended).code).toBe(0);
});
