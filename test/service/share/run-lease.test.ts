import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Clock } from "../../../src/model/clock.ts";
import { runLockName } from "../../../src/service/share/open-share.ts";
import { RedisLink, parseRedisAddress } from "../../../src/service/share/redis-link.ts";
import { RunLease } from "../../../src/service/share/run-lease.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { acquireSharedRunLock, withoutWaiting } from "../../../src/sync/state/run-lock.ts";
import { outageClock } from "../../support/outage-clock.ts";
import { type TestRedis, useRedis } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();
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
  const link = await RedisLink.open(parseRedisAddress(redis.url), options.clock ?? systemClock);
  const owner = { token: options.token ?? "me", host: "here", pid: 7, since: "2036-01-01T00:00:00Z" };
  const lease = new RunLease({ link, name: NAME, owner, ttlMs: TTL_MS, clock: systemClock, ...options });
  onTestFinished(async () => {
    await lease.release();
    link.close();
  });
  return { lease, link, lost: link.lost };
}

describe("a run lease", () => {
  test("names its holder and its time to live to others, and is free after its release", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    const { lease: other } = await leaseOn(redis, { token: "other" });
    expect(await lease.take()).toBe("taken");
    const held = await other.take();
    expect(held).toMatchObject({ owner: { host: "here", pid: 7, since: "2036-01-01T00:00:00Z" } });
    expect(Object(held).expiresInMs).toBeGreaterThan(0);
    expect(Object(held).expiresInMs).toBeLessThanOrEqual(TTL_MS);
    await lease.release();
    expect(await other.take()).toBe("taken");
    // The first owner does not release a lease that now belongs to another.
    await lease.release();
    expect(await redis.client.get(NAME)).toContain('"token":"other"');
  });

  test("is taken once when a broken connection sends the request twice", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    expect([await lease.take(), await lease.take()]).toEqual(["taken", "taken"]);
  });

  test("goes to exactly one of many processes that ask at the same time", async () => {
    const redis = await freshRedis();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => leaseOn(redis, { token: String(index) })),
    );
    const taken = await Promise.all(all.map(({ lease }) => lease.take()));
    expect(taken.filter((each) => each === "taken")).toHaveLength(1);
  });

  test("is free when it expires after its holder is gone", async () => {
    const redis = await freshRedis();
    const gone = await leaseOn(redis, { token: "gone" });
    expect(await gone.lease.take()).toBe("taken");
    gone.link.close();
    const { lease } = await leaseOn(redis);
    expect(await lease.take()).toMatchObject({ owner: { token: "gone" } });
    await redis.client.pexpire(NAME, 1);
    await until(async () => (await lease.take()) === "taken");
  });

  test("is renewed every two seconds while its holder waits", async () => {
    const redis = await freshRedis();
    const waits: (() => void)[] = [];
    const clock: Clock = {
      now: () => Date.now(),
      sleep: (ms, signal) =>
        ms === 2_000 ? new Promise((resolve) => waits.push(resolve)) : systemClock.sleep(ms, signal),
    };
    const { lease, lost } = await leaseOn(redis, { clock });
    await lease.take();
    for (const renewals of [1, 2, 3]) {
      await until(() => waits.length === renewals);
      await redis.client.pexpire(NAME, 5_000);
      waits.at(-1)?.();
      await until(async () => (await redis.client.pttl(NAME)) > 5_000);
    }
    expect(lost.aborted).toBe(false);
  });
});

describe("the confirmation before each request", () => {
  test("says yes while the lease is ours, and renews it", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    await lease.take();
    await redis.client.pexpire(NAME, 5_000);
    expect(await lease.confirm()).toBe(true);
    expect(await redis.client.pttl(NAME)).toBeGreaterThan(TTL_MS - 5_000);
  });

  test("says yes if nobody took the lease, as in a plan", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    expect(await lease.confirm()).toBe(true);
    expect(await redis.client.exists(NAME)).toBe(0);
  });

  test.each<[string, (redis: TestRedis) => Promise<unknown>, RegExp]>([
    ["somebody removed the key", (redis) => redis.client.del(NAME), /Redis no longer has it/],
    ["Redis was restarted without its memory", (redis) => redis.restart(), /no longer has it/],
    [
      "another run has it",
      (redis) =>
        redis.client.set(NAME, JSON.stringify({ token: "x", host: "elsewhere", pid: 9, since: "noon" })),
      /process 9 on elsewhere has held it since noon/,
    ],
    ["the key has another value", (redis) => redis.client.set(NAME, "{"), /no longer has it/],
  ])("says no for the rest of the run when %s", async (_name, mischief, why) => {
    const redis = await freshRedis();
    const { lease, lost } = await leaseOn(redis);
    await lease.take();
    await mischief(redis);
    expect(await lease.confirm()).toBe(false);
    expect(lost.reason).toMatchObject({ code: "share/lock-lost", message: expect.stringMatching(why) });
    // This run does not take the lease again, even if it is free.
    expect(await lease.confirm()).toBe(false);
  });

  test.each(["is killed", "hangs"])("says no when Redis %s", async (how) => {
    const redis = await freshRedis();
    const { lease, lost } = await leaseOn(redis, { clock: outageClock(redis) });
    await lease.take();
    if (how === "hangs") redis.freeze();
    else await redis.kill();
    expect(await lease.confirm()).toBe(false);
    expect(lost.reason).toMatchObject({ code: "share/unreachable" });
  });

  test("survives a short interruption", async () => {
    const redis = await freshRedis();
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

  test("an answer that arrived while this process was busy is not late", async () => {
    const redis = await freshRedis();
    const { link } = await leaseOn(redis);
    const answers: unknown[] = [];
    // Redis may be slow, too: then this process must be busy for longer.
    for (const busyMs of [300, 1_000, 3_000]) {
      const answer = link.run("return 1", [], [], 20);
      const busyUntil = Date.now() + busyMs;
      while (Date.now() < busyUntil);
      answers.push(await answer.catch((error: unknown) => error));
      if (answers.at(-1) === 1) break;
    }
    expect(answers.at(-1)).toBe(1);
  });

  test("asks again if the answer came late, for example because the machine was asleep", async () => {
    const redis = await freshRedis();
    let skipped = 0;
    const sleepy: Clock = {
      now: () => Date.now() + skipped,
      sleep: (ms, signal) => systemClock.sleep(ms, signal),
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
  ["a list", "[]"],
  ["no JSON", "no JSON"],
  ["an incomplete holder", '{"token":1}'],
  ["a host that is too long", JSON.stringify({ token: "a", host: "b".repeat(999), pid: 1, since: "" })],
])(
  "a value that plancast did not write keeps the lease until a person removes it: %s",
  async (_name, value) => {
    const redis = await freshRedis();
    await redis.client.set(NAME, value);
    const { lease } = await leaseOn(redis);
    expect(await lease.take()).toEqual({ owner: undefined, expiresInMs: -1 });
    expect(await redis.client.get(NAME)).toBe(value);
  },
);

describe("a run that wants the lock", () => {
  const now = withoutWaiting("apply", { clock: systemClock, stop: new AbortController().signal });

  test("takes one that is free", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    await acquireSharedRunLock(lease, now);
    expect(await redis.client.get(NAME)).toContain('"token":"me"');
  });

  test("names the holder of a taken lock, and when the lock ends at the latest", async () => {
    const redis = await freshRedis();
    const { lease } = await leaseOn(redis);
    await lease.take();
    const { lease: other } = await leaseOn(redis, { token: "other" });
    await redis.client.pexpire(NAME, 59_500);
    await expect(acquireSharedRunLock(other, now)).rejects.toMatchObject({
      code: "run/locked",
      message: "Another run is in progress in this project: process 7 on here since 2036-01-01T00:00:00Z.",
      hint: expect.stringMatching(/its lock expires within (60|5[0-9]) seconds\./),
    });
  });

  test("is refused by one that plancast did not write", async () => {
    const redis = await freshRedis();
    await redis.client.set(NAME, "[]");
    const { lease } = await leaseOn(redis);
    await expect(acquireSharedRunLock(lease, now)).rejects.toMatchObject({
      code: "run/locked",
      message: `The run lock in Redis (${NAME}) has a value that plancast did not write.`,
    });
  });
});

test("a key of another type makes the run fail with share/refused", async () => {
  const redis = await freshRedis();
  await redis.client.rpush(NAME, "a");
  const { lease } = await leaseOn(redis);
  await expect(lease.take()).rejects.toMatchObject({ code: "share/refused" });
});

test("the name of a lease depends only on the service and the project", () => {
  const names = [
    runLockName("https://a", "p"),
    runLockName("https://b", "p"),
    runLockName("https://a", "q"),
    runLockName('https://a","p', ""),
  ];
  expect(runLockName("https://a", "p")).toBe(names[0]);
  expect(new Set(names).size).toBe(4);
});
