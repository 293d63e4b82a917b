/** Two checkouts of one project: never applied at once, whoever dies and whatever becomes of Redis. */
import { expect, test } from "vitest";
import type { Machines } from "./machines.ts";
import { APPLY, startMachines, summaryOf, until } from "./machines.ts";

const ROWS = 30;
/** Some way into a run requests wait: there is time for mischief. */
const SLOW = { limit: { perWindow: 12, windowMs: 4_000, resetUnit: "epoch-ms" } } as const;

async function lockOf({ redis }: Machines): Promise<string> {
  const [name] = await redis.client.keys("plancast:run:*");
  if (name === undefined) throw new Error("nobody holds a run lock");
  return name;
}

test.each(["spring", undefined])(
  "the second is refused and told who applies; with time it waits, and finds all done (project: %s)",
  async (name) => {
    const machines = await startMachines(SLOW);
    const { service, checkout } = machines;
    const [one, two] = [await checkout(name, ROWS), await checkout(name, ROWS)];
    const first = one.start(...APPLY);
    await until(() => service.counters.creates > 0);
    const before = service.requests.length;
    const refused = await two.run("apply", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("run/locked");
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
      new RegExp(`process ${first.child.pid} on \\S+ since 20\\d\\d-`),
    );
    const waited = two.start(...APPLY, "--lock-timeout", "5m");
    await waited.waitFor("waiting for it to end");
    expect(service.requests.slice(before).filter(({ method }) => method === "GET")).toEqual([]);
    expect(summaryOf(await first.ended)).toMatchObject({ created: ROWS });
    const second = await waited.ended;
    expect(second.code).toBe(0);
    expect(summaryOf(second)).toMatchObject({ created: 0 });
    expect(service.counters.creates).toBe(ROWS);
    await expect(lockOf(machines)).rejects.toThrow("nobody");
  },
  60_000,
);

test("a holder that is killed: the lock goes by itself, and the next run does the rest", async () => {
  const machines = await startMachines(SLOW);
  const { service, checkout, redis } = machines;
  const [one, two] = [await checkout("spring", ROWS), await checkout("spring", ROWS)];
  const first = one.start(...APPLY);
  await until(() => service.counters.creates > 3);
  first.kill("SIGKILL");
  await first.ended;
  const refused = await two.run("apply", "--yes");
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(/its lock goes by itself within \d+ seconds/);
  const name = await lockOf(machines);
  // Service timeout 5 s, connection 10 s, and 10 s to send within.
  expect(await redis.client.pttl(name)).toBeGreaterThan(0);
  expect(await redis.client.pttl(name)).toBeLessThanOrEqual(25_000);
  await redis.client.pexpire(name, 1_000);
  const second = await two.run(...APPLY, "--lock-timeout", "1m");
  expect(second.code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
}, 90_000);

test("Redis is killed amid a run: what is in flight is finished, nothing else is started, and why is said", async () => {
  const machines = await startMachines(SLOW);
  const { service, checkout, redis } = machines;
  const one = await checkout("spring", ROWS, { service: { timeout: "30s" } });
  service.faults.at(9, { kind: "slow-after", ms: 8_000 }, { method: "POST" });
  const running = one.start(...APPLY);
  await until(() => service.counters.creates >= 9);
  await redis.kill();
  const ended = await running.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("share/lost");
  const { created, not_started, unknown, failed } = summaryOf(ended);
  expect({ unknown, failed, all: Number(created) + Number(not_started) }).toEqual({
    unknown: 0,
    failed: 0,
    all: ROWS,
  });
  expect(not_started).toBeGreaterThan(0);
  expect(created).toBe(service.counters.creates);
  await redis.restart();
  expect((await one.run(...APPLY)).code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
}, 60_000);

test("Redis is restarted without its memory: the run that had the lock ends, another takes it", async () => {
  const machines = await startMachines(SLOW);
  const { service, checkout, redis } = machines;
  const [one, two] = [await checkout("spring", ROWS), await checkout("spring", ROWS)];
  const first = one.start(...APPLY);
  await until(() => service.counters.creates >= 6);
  await redis.restart();
  const second = two.start(...APPLY, "--lock-timeout", "5m");
  const ended = await first.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("share/lock-lost");
  expect(summaryOf(ended)["not_started"]).toBeGreaterThan(0);
  expect((await second.ended).code).toBe(0);
  expect(service.duplicates()).toEqual([]);
  expect(service.scheduled()).toHaveLength(ROWS);
}, 60_000);

test("somebody takes the lock away while the plan is being read: nothing is sent", async () => {
  const machines = await startMachines({});
  const { service, checkout, redis } = machines;
  const one = await checkout("spring", 3);
  service.faults.at(
    1,
    {
      kind: "run-before",
      run: async () => {
        await redis.client.del(await lockOf(machines));
      },
    },
    { method: "GET" },
  );
  const { code, stderr } = await one.run(...APPLY);
  expect(code).toBe(1);
  expect(stderr).toContain("share/lock-lost");
  expect(service.counters.creates).toBe(0);
});

test("an interrupted run gives the lock back", async () => {
  const machines = await startMachines(SLOW);
  const one = await machines.checkout("spring", ROWS);
  const running = one.start(...APPLY);
  await until(() => machines.service.counters.creates > 0);
  running.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await expect(lockOf(machines)).rejects.toThrow("nobody");
});

test("two projects that share a Redis, but not a name, do not hinder each other", async () => {
  const machines = await startMachines(SLOW);
  const [one, two] = [await machines.checkout("spring", ROWS), await machines.checkout("autumn", 1)];
  const first = one.start(...APPLY);
  await until(() => machines.service.counters.creates > 0);
  expect((await two.run(...APPLY)).code).toBe(0);
  expect((await first.ended).code).toBe(0);
}, 60_000);
