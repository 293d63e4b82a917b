import { describe, expect, onTestFinished, test, vi } from "vitest";
import { acquireSharedRunLock, atOnce } from "../../src/apply/run-lock.ts";
import type { Clock } from "../../src/calendar/clock.ts";
import { processShell } from "../../src/commands/shell.ts";
import { runLockName } from "../../src/share/identity.ts";
import { parseRedisAddress } from "../../src/share/redis-address.ts";
import { RedisLink } from "../../src/share/redis-link.ts";
import { RunLease } from "../../src/share/run-lease.ts";
import { startRedis, type TestRedis } from "../support/redis-server.ts";

const { clock } = processShell(new AbortController().signal);
const NAME = runLockName("https://api.example.com", "plancast.lock.json");
const TTL_MS = 60_000;

interface Options {
  readonly token?: string;
  readonly ttlMs?: number;
  readonly clock?: Clock;
}

interface Held {
  readonly lease: RunLease;
  readonly link: RedisLink;
  readonly lost: AbortSignal;
}

async function leaseOn(redis: TestRedis, options: Options = {}): Promise<Held> {
  const link = await RedisLink.open(parseRedisAddress(redis.url), options.clock ?? clock);
  const owner = { token: options.token ?? "me", host: "here", pid: 7, since: "2036-01-01T00:00:00Z" };
  const lease = new RunLease({ link, name: NAME, owner, ttlMs: TTL_MS, clock, ...options });
  onTestFinished(async () => {
    await lease.release();
    link.close();
  });
  return { lease, link, lost: link.lost };
}

describe("one at a time", () => {
  test("the second is told who has it and how long that may last; then it is free", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    const { lease: other } = await leaseOn(redis, { token: "other" });
    expect(await lease.take()).toBe("taken");
    const held = await other.take();
    expect(held).toMatchObject({ owner: { host: "here", pid: 7, since: "2036-01-01T00:00:00Z" } });
    expect(Object(held).expiresInMs).toBeGreaterThan(0);
    expect(Object(held).expiresInMs).toBeLessThanOrEqual(TTL_MS);
    await lease.release();
    expect(await other.take()).toBe("taken");
    // What is another's by now is not given back by the first.
    await lease.release();
    expect(await redis.client.get(NAME)).toContain('"token":"other"');
  });

  test("what a broken connection sends twice is taken once", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    expect([await lease.take(), await lease.take()]).toEqual(["taken", "taken"]);
  });

  test("of many that want it together exactly one gets it", async () => {
    const redis = await startRedis();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => leaseOn(redis, { token: String(index) })),
    );
    const taken = await Promise.all(all.map(({ lease }) => lease.take()));
    expect(taken.filter((each) => each === "taken")).toHaveLength(1);
  });

  test("a holder that is heard of no more does not keep it", async () => {
    const redis = await startRedis();
    const gone = await leaseOn(redis, { token: "gone", ttlMs: 3_000 });
    expect(await gone.lease.take()).toBe("taken");
    gone.link.close();
    const { lease } = await leaseOn(redis);
    expect(await lease.take()).toMatchObject({ owner: { token: "gone" } });
    await vi.waitFor(async () => expect(await lease.take()).toBe("taken"), { timeout: 20_000 });
  });

  test("a holder that lives keeps it for longer than it lasts by itself", async () => {
    const redis = await startRedis();
    const { lease, lost } = await leaseOn(redis, { ttlMs: 3_000 });
    await lease.take();
    await clock.sleep(5_000);
    const { lease: other } = await leaseOn(redis, { token: "other" });
    expect(await other.take()).toMatchObject({ owner: { host: "here" } });
    expect(lost.aborted).toBe(false);
  });
});

describe("asked before each request", () => {
  test("yes, while it is ours; and it lasts anew", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    await lease.take();
    await redis.client.pexpire(NAME, 5_000);
    expect(await lease.confirm()).toBe(true);
    expect(await redis.client.pttl(NAME)).toBeGreaterThan(TTL_MS - 5_000);
  });

  test("yes, where nobody took it: a plan needs none", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    expect(await lease.confirm()).toBe(true);
    expect(await redis.client.exists(NAME)).toBe(0);
  });

  test.each<[string, (redis: TestRedis) => Promise<unknown>, RegExp]>([
    ["somebody removed it", (redis) => redis.client.del(NAME), /Redis does not have it any more/],
    ["Redis was restarted without its memory", (redis) => redis.restart(), /does not have it any more/],
    [
      "another has it",
      (redis) =>
        redis.client.set(NAME, JSON.stringify({ token: "x", host: "elsewhere", pid: 9, since: "noon" })),
      /process 9 on elsewhere holds it since noon/,
    ],
    ["something else stands there", (redis) => redis.client.set(NAME, "{"), /does not have it any more/],
  ])("no, and the run is lost: %s", async (_name, mischief, why) => {
    const redis = await startRedis();
    const { lease, lost } = await leaseOn(redis);
    await lease.take();
    await mischief(redis);
    expect(await lease.confirm()).toBe(false);
    expect(lost.reason).toMatchObject({ code: "share/lock-lost", message: expect.stringMatching(why) });
    // Free as it may be: this run does not take it again.
    expect(await lease.confirm()).toBe(false);
  });

  test("no, where Redis is gone", async () => {
    const redis = await startRedis();
    const { lease, lost } = await leaseOn(redis);
    await lease.take();
    await redis.kill();
    expect(await lease.confirm()).toBe(false);
    expect(lost.reason).toMatchObject({ code: "share/lost" });
  });

  test("no, where Redis stands still", async () => {
    const redis = await startRedis();
    const { lease, lost } = await leaseOn(redis);
    await lease.take();
    redis.freeze();
    expect(await lease.confirm()).toBe(false);
    expect(lost.reason).toMatchObject({ code: "share/lost" });
  });

  test("a short interruption is ridden out", async () => {
    const redis = await startRedis();
    const { lease, lost } = await leaseOn(redis);
    await lease.take();
    redis.freeze();
    const confirmed = lease.confirm();
    redis.thaw();
    expect(await confirmed).toBe(true);
    await redis.client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    expect(await lease.confirm()).toBe(true);
    expect(lost.aborted).toBe(false);
  });

  test("an answer that came late, as after a sleep of the machine, is asked for again", async () => {
    const redis = await startRedis();
    let skipped = 0;
    const sleepy: Clock = {
      now: () => Date.now() + skipped,
      sleep: (ms, signal) => clock.sleep(ms, signal),
    };
    const { lease } = await leaseOn(redis, { clock: sleepy });
    await lease.take();
    await redis.client.config("RESETSTAT");
    const confirmed = lease.confirm();
    skipped += 60_000;
    expect(await confirmed).toBe(true);
    expect(await redis.client.info("commandstats")).toMatch(/cmdstat_eval:calls=2,/);
  });
});

test.each([
  "[]",
  "no JSON",
  '{"token":1}',
  JSON.stringify({ token: "a", host: "b".repeat(999), pid: 1, since: "" }),
])("a value that plancast did not write holds the lock until a person removes it: %s", async (value) => {
  const redis = await startRedis();
  await redis.client.set(NAME, value);
  const { lease } = await leaseOn(redis);
  expect(await lease.take()).toEqual({ owner: undefined, expiresInMs: -1 });
  expect(await redis.client.get(NAME)).toBe(value);
});

describe("a run that wants the lock", () => {
  const now = atOnce("apply", { clock, stop: new AbortController().signal });

  test("takes one that is free", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    await acquireSharedRunLock(lease, now);
    expect(await redis.client.get(NAME)).toContain('"token":"me"');
  });

  test("names the holder of one that is taken, and when that ends at the latest", async () => {
    const redis = await startRedis();
    const { lease } = await leaseOn(redis);
    await lease.take();
    const { lease: other } = await leaseOn(redis, { token: "other" });
    await redis.client.pexpire(NAME, 59_500);
    await expect(acquireSharedRunLock(other, now)).rejects.toMatchObject({
      code: "run/locked",
      message: "Another run is going on in this project: process 7 on here since 2036-01-01T00:00:00Z.",
      hint: expect.stringMatching(/its lock goes by itself within (60|5[0-9]) seconds\./),
    });
  });

  test("is refused by one that plancast did not write", async () => {
    const redis = await startRedis();
    await redis.client.set(NAME, "[]");
    const { lease } = await leaseOn(redis);
    await expect(acquireSharedRunLock(lease, now)).rejects.toMatchObject({
      code: "run/locked",
      message: `The run lock in Redis (${NAME}) is held by something that plancast did not write.`,
    });
  });
});

test("a key of another type is an error with a code", async () => {
  const redis = await startRedis();
  await redis.client.rpush(NAME, "a");
  const { lease } = await leaseOn(redis);
  await expect(lease.take()).rejects.toMatchObject({ code: "share/refused" });
});

test("names in Redis are the same on every machine, and differ by service and project", () => {
  const names = [
    runLockName("https://a", "p"),
    runLockName("https://b", "p"),
    runLockName("https://a", "q"),
    runLockName('https://a","p', ""),
  ];
  expect(runLockName("https://a", "p")).toBe(names[0]);
  expect(new Set(names).size).toBe(4);
});
