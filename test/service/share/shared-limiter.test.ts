/** Limiters of several processes on one Redis keep the limit together. */

import { describe, expect, test, vi } from "vitest";
import { readRateHeaders } from "../../../src/service/rate/rate-headers.ts";
import { outageClock } from "../../support/outage-clock.ts";
import { type TestRedis, useRedis } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { ask, askOften, fixedWindow, join, run, shifted } from "./limiters.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();

test("three limiters with clocks an hour apart are never refused, and send everything", async () => {
  const redis = await freshRedis();
  const service = fixedWindow(12, 1_000);
  const hours = [-3_600_000, 0, 3_600_000];
  const all = await Promise.all(hours.map((ms) => join(redis, { clock: shifted(ms) })));
  await Promise.all(all.map((each) => askOften(each, 8, service.request)));
  expect(service.seen.refused).toBe(0);
  expect(service.seen.windows.reduce((sum, used) => sum + used, 0)).toBe(24);
});

test("a limiter that joins later counts what the others used", async () => {
  const redis = await freshRedis();
  const service = fixedWindow(10, 60_000);
  await askOften(await join(redis), 9, service.request);
  const waits = vi.fn();
  const second = await join(redis, { onWait: waits });
  void askOften(second, 3, service.request);
  await until(() => waits.mock.calls.length > 0);
  expect(waits).toHaveBeenCalledWith(expect.objectContaining({ why: "limit" }));
  expect(service.seen).toEqual({ refused: 0, windows: [10] });
});

test("a Retry-After for one limiter holds back all of them", async () => {
  const redis = await freshRedis();
  const [one, two] = [await join(redis), await join(redis)];
  const reading = { windows: [], date: undefined };
  const refusal = { reading, refused: true, retryAfterMs: 400 };
  let refusedAt = Infinity;
  await ask(one, async () => {
    refusedAt = Date.now();
    return refusal;
  });
  const sentAt = await run(two, async () => Date.now());
  expect(Number(sentAt) - refusedAt).toBeGreaterThanOrEqual(400);
});

test("all limiters respect the requests of a client that does not share", async () => {
  const redis = await freshRedis();
  const [one, two] = [await join(redis), await join(redis)];
  const service = fixedWindow(20, 60_000);
  await askOften(one, 5, service.request);
  await Promise.all(Array.from({ length: 12 }, () => service.request()));
  await ask(one, service.request);
  const waits = vi.fn();
  const third = await join(redis, { onWait: waits });
  void askOften(two, 5, service.request);
  void askOften(third, 5, service.request);
  await until(() => waits.mock.calls.length > 0);
  await until(() => service.seen.windows[0] === 20);
  expect(service.seen).toEqual({ refused: 0, windows: [20] });
});

test("the count of a window of a day is kept as long as the window", async () => {
  const redis = await freshRedis();
  const headers = { ratelimit: '"day";r=200;t=80000', "ratelimit-policy": '"day";q=250;w=86400' };
  const send = async () => ({ reading: readRateHeaders(headers), refused: false, retryAfterMs: undefined });
  await askOften(await join(redis), 2, send);
  const names = await redis.client.keys("*");
  const kept = await Promise.all(names.map((name) => redis.client.pttl(name)));
  expect(names.some((name) => name.startsWith("plancast:window:"))).toBe(true);
  expect(Math.min(...kept)).toBeGreaterThan(70_000_000);
});

test("limiters of different keys have different limits", async () => {
  const redis = await freshRedis();
  const [one, two] = [await join(redis), await join(redis, { key: "sk_2" })];
  const [service, other] = [fixedWindow(1, 60_000), fixedWindow(1, 60_000)];
  await askOften(one, 1, service.request);
  await askOften(two, 1, other.request);
  expect([service.seen, other.seen]).toEqual([
    { refused: 0, windows: [1] },
    { refused: 0, windows: [1] },
  ]);
});

describe("a limiter whose Redis is in trouble", () => {
  test("gets the answers in flight, sends nothing else, and shows the reason", async () => {
    const redis = await freshRedis();
    const one = await join(redis, { clock: outageClock(redis) });
    const service = fixedWindow(50, 60_000);
    await ask(one, service.request);
    let answer: (() => void) | undefined;
    const inFlight = run(
      one,
      () =>
        new Promise<string>((resolve) => {
          answer = () => resolve("came back");
        }),
    );
    await until(() => answer !== undefined);
    await redis.kill();
    const waiting = run(one, async () => "sent");
    expect(await waiting).toBe("stopped");
    expect(one.share.lost.reason).toMatchObject({ code: "share/unreachable" });
    answer?.();
    expect(await inFlight).toBe("came back");
  });

  test("continues after a restart without memory, and learns the limit again", async () => {
    const redis = await freshRedis();
    const all = [await join(redis), await join(redis)];
    const service = fixedWindow(200, 60_000);
    await Promise.all(all.map((each) => askOften(each, 5, service.request)));
    await redis.restart();
    await Promise.all(all.map((each) => askOften(each, 5, service.request)));
    expect(all.map(({ share }) => share.lost.reason)).toEqual([undefined, undefined]);
    expect(service.seen).toEqual({ refused: 0, windows: [20] });
  });
});

describe("values in Redis that plancast did not write", () => {
  test("delay a limiter while they exist, but not forever", async () => {
    const redis = await freshRedis();
    const one = await join(redis);
    const service = fixedWindow(200, 60_000);
    await askOften(one, 2, service.request);
    const [phase] = await redis.client.keys("plancast:window:*");
    const since = Date.now();
    await redis.client.set(String(phase), "{", "PX", 300);
    await askOften(one, 2, service.request);
    expect(Date.now() - since).toBeGreaterThanOrEqual(290);
    await redis.client.set(String(phase), "\u0000");
    await askOften(one, 2, service.request);
    expect(service.seen).toEqual({ refused: 0, windows: [6] });
  });

  test.each(["plancast:window:", "b_"])(
    "stop a limiter before it sends anything if a key has another type: %s…",
    async (prefix) => {
      const redis = await freshRedis();
      const first = await join(redis);
      await askOften(first, 1, fixedWindow(5, 60_000).request);
      await first.share.close();
      const names = await redis.client.keys(`${prefix}*`);
      for (const name of names) {
        await redis.client.multi().del(name).rpush(name, "no").exec();
      }
      expect(names).not.toEqual([]);
      await expect(join(redis)).rejects.toMatchObject({ code: "share/refused" });
    },
  );
});

test("nothing in Redis shows the key or the address of the service", async () => {
  const redis = await freshRedis();
  const one = await join(redis, { key: "sk_secret" });
  await one.share.lease.take();
  const service = fixedWindow(5, 60_000);
  await askOften(one, 5, service.request);
  const everything = JSON.stringify(await everythingIn(redis));
  expect(everything).toContain("plancast:window:");
  expect(everything).not.toMatch(/sk_secret|api\.example\.com/);
});

async function everythingIn({ client }: TestRedis): Promise<unknown[]> {
  const names = await client.keys("*");
  return Promise.all(
    names.map(async (name) => {
      switch (await client.type(name)) {
        case "string":
          return [name, await client.get(name)];
        case "hash":
          return [name, await client.hgetall(name)];
        case "zset":
          return [name, await client.zrange(name, "0", "-1")];
        default:
          return [name, await client.xrange(name, "-", "+")];
      }
    }),
  );
}
