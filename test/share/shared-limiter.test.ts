/** Limiters with a connection each, as processes have them, on one real Redis. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Clock } from "../../src/calendar/clock.ts";
import { processShell } from "../../src/commands/shell.ts";
import { Limiter } from "../../src/service/limiter.ts";
import type { RateNews } from "../../src/service/rate-headers.ts";
import { RateWindow } from "../../src/service/rate-window.ts";
import { openShare, type Share } from "../../src/share/open-share.ts";
import { startRedis, type TestRedis } from "../support/redis-server.ts";

const { clock } = processShell(new AbortController().signal);

interface Sharing {
  readonly limiter: Limiter;
  readonly share: Share;
  /** As if the process had died: it says nothing any more. */
  readonly die: () => void;
}

interface Options {
  readonly clock?: Clock;
  readonly key?: string;
}

async function join(redis: TestRedis, options: Options = {}): Promise<Sharing> {
  const dead = new AbortController();
  const given = options.clock ?? clock;
  const rules = { fallbackLimit: 30, reserve: () => 0, random: () => 0.5 };
  const share = await openShare({
    url: redis.url,
    origin: "https://api.example.com",
    key: options.key ?? "sk_1",
    project: "plancast.lock.json",
    concurrency: 6,
    timeoutMs: 1_000,
    window: new RateWindow(rules),
    clock: {
      now: () => given.now(),
      // A dead process does not wake up.
      sleep: async (ms, signal) => {
        await given.sleep(ms, signal);
        if (dead.signal.aborted) await new Promise(() => undefined);
      },
    },
  });
  onTestFinished(() => (dead.signal.aborted ? undefined : share.close()));
  const limiter = new Limiter({ ...rules, clock: given, stop: share.lost, onWait: () => {}, shared: share });
  return { limiter, share, die: () => dead.abort() };
}

function shifted(ms: number): Clock {
  return { ...clock, now: () => Date.now() + ms };
}

/** A fixed window that counts what it refused, and what it was asked in each window. */
function fixedWindow(perWindow: number, windowMs: number) {
  let resetAt = 0;
  const windows: number[] = [];
  const seen = { refused: 0, windows };
  const request = async (): Promise<RateNews> => {
    if (Date.now() >= resetAt) {
      resetAt = Date.now() + windowMs;
      windows.push(0);
    }
    const used = (windows.at(-1) ?? 0) + 1;
    windows[windows.length - 1] = used;
    const refused = used > perWindow;
    if (refused) seen.refused += 1;
    const reset = { unit: "epoch-ms", ms: resetAt, isCoarse: false } as const;
    const remaining = Math.max(0, perWindow - used);
    await clock.sleep(Math.random() * 15);
    return {
      reading: { limit: perWindow, remaining, reset, date: undefined },
      refused,
      retryAfterMs: undefined,
    };
  };
  return { request, seen };
}

/** A request whose answer says this of the limit. */
function ask({ limiter }: Sharing, send: () => Promise<RateNews>): Promise<RateNews | "stopped"> {
  return limiter.schedule({ priority: 5, send, newsOf: (news) => news });
}

/** A request whose answer says nothing of the limit. */
function run<T>({ limiter }: Sharing, send: () => Promise<T>): Promise<T | "stopped"> {
  return limiter.schedule({ priority: 5, send, newsOf: () => undefined });
}

function askOften(sharing: Sharing, count: number, send: () => Promise<RateNews>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => ask(sharing, send)));
}

/** Of all windows but the last, in which there was not enough left to do. */
function utilisation(windows: readonly number[], perWindow: number): number {
  const full = windows.slice(0, -1);
  return full.reduce((sum, used) => sum + used, 0) / (full.length * perWindow);
}

describe("one limit for all", () => {
  test.each([2, 5])("%i processes: nothing is refused, and nothing is left over", async (count) => {
    const redis = await startRedis();
    const service = fixedWindow(20, 2_500);
    const all = await Promise.all(Array.from({ length: count }, () => join(redis)));
    await Promise.all(all.map((each) => askOften(each, 70 / count, service.request)));
    expect(service.seen.refused).toBe(0);
    expect(service.seen.windows.reduce((sum, used) => sum + used, 0)).toBe(70);
    expect(utilisation(service.seen.windows, 20)).toBeGreaterThanOrEqual(0.95);
  });

  test("one that comes later knows what the others used", async () => {
    const redis = await startRedis();
    const service = fixedWindow(10, 2_000);
    const first = await join(redis);
    await askOften(first, 9, service.request);
    const second = await join(redis);
    await askOften(second, 6, service.request);
    expect(service.seen).toEqual({ refused: 0, windows: [10, 5] });
  });

  test("clocks an hour apart do not matter", async () => {
    const redis = await startRedis();
    const service = fixedWindow(10, 2_000);
    const all = await Promise.all([
      join(redis, { clock: shifted(-3_600_000) }),
      join(redis, { clock: shifted(3_600_000) }),
    ]);
    await Promise.all(all.map((each) => askOften(each, 20, service.request)));
    expect(service.seen.refused).toBe(0);
    expect(utilisation(service.seen.windows, 10)).toBeGreaterThanOrEqual(0.95);
  });

  test("one that is told to stay away keeps all away", async () => {
    const redis = await startRedis();
    const [one, two] = [await join(redis), await join(redis)];
    const reading = { limit: undefined, remaining: undefined, reset: undefined, date: undefined };
    const refusal = { reading, refused: true, retryAfterMs: 2_000 };
    let toldAt = Infinity;
    await ask(one, async () => {
      toldAt = Date.now();
      return refusal;
    });
    const sentAt = await run(two, async () => Date.now());
    expect(Number(sentAt) - toldAt).toBeGreaterThanOrEqual(2_000);
  });

  test("another key is another limit", async () => {
    const redis = await startRedis();
    const [one, two] = [await join(redis), await join(redis, { key: "sk_2" })];
    const service = fixedWindow(1, 60_000);
    await askOften(one, 1, service.request);
    const own = fixedWindow(1, 60_000);
    await askOften(two, 1, own.request);
    expect([service.seen, own.seen]).toEqual([
      { refused: 0, windows: [1] },
      { refused: 0, windows: [1] },
    ]);
  });
});

describe("when one of them dies", () => {
  test("in flight, as the probe: the others go on after a while", async () => {
    const redis = await startRedis();
    const [one, two] = [await join(redis), await join(redis)];
    let isSent = false;
    void ask(one, () => {
      isSent = true;
      return new Promise<RateNews>(() => undefined);
    });
    await vi.waitFor(() => expect(isSent).toBe(true));
    one.die();
    const service = fixedWindow(5, 60_000);
    await askOften(two, 3, service.request);
    expect(service.seen).toEqual({ refused: 0, windows: [3] });
  });
});

describe("when Redis is in trouble", () => {
  test("gone: what is in flight comes back, what waits is not sent, and why is said", async () => {
    const redis = await startRedis();
    const one = await join(redis);
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
    await vi.waitFor(() => expect(answer).toBeDefined());
    await redis.kill();
    const waiting = run(one, async () => "sent");
    expect(await waiting).toBe("stopped");
    expect(one.share.lost.reason).toMatchObject({ code: "share/lost" });
    answer?.();
    expect(await inFlight).toBe("came back");
  });

  test("restarted without its memory: it goes on, and the limit is learned anew", async () => {
    const redis = await startRedis();
    const all = [await join(redis), await join(redis)];
    const service = fixedWindow(200, 60_000);
    await Promise.all(all.map((each) => askOften(each, 5, service.request)));
    await redis.restart();
    await Promise.all(all.map((each) => askOften(each, 5, service.request)));
    expect(all.map(({ share }) => share.lost.reason)).toEqual([undefined, undefined]);
    expect(service.seen).toEqual({ refused: 0, windows: [20] });
  });

  test("its clock is set back with it: the same", async () => {
    const redis = await startRedis();
    const one = await join(redis);
    const service = fixedWindow(200, 60_000);
    await askOften(one, 5, service.request);
    const [events] = await redis.client.keys("plancast:events:*");
    await redis.client.del(String(events));
    await redis.client.xadd(String(events), "1-1", "event", "of another time");
    await askOften(one, 5, service.request);
    expect(service.seen).toEqual({ refused: 0, windows: [10] });
  });
});

describe("values that plancast did not write", () => {
  test("events that make no sense are as good as none", async () => {
    const redis = await startRedis();
    const one = await join(redis);
    const service = fixedWindow(200, 60_000);
    await askOften(one, 2, service.request);
    const [events] = await redis.client.keys("plancast:events:*");
    for (const text of [
      "",
      "{",
      "null",
      '{"event":"started"}',
      '{"event":"ended","id":"x","news":{"reading":7}}',
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      await redis.client.xadd(String(events), "*", "event", text);
    }
    await redis.client.xadd(String(events), "*", "other", "field", "event", "\u0000");
    await askOften(one, 2, service.request);
    await askOften(await join(redis), 2, service.request);
    expect(service.seen).toEqual({ refused: 0, windows: [6] });
  });

  test.each(["plancast:events:", "plancast:processes:", "b_"])(
    "a key of another type (%s…) is an error with a code, and nothing is sent",
    async (prefix) => {
      const redis = await startRedis();
      const first = await join(redis);
      await askOften(first, 1, fixedWindow(5, 60_000).request);
      await first.share.close();
      const names = await redis.client.keys(`${prefix}*`);
      for (const name of names) {
        // oxlint-disable-next-line no-await-in-loop
        await redis.client.multi().del(name).set(name, "no").exec();
      }
      expect(names).not.toEqual([]);
      await expect(join(redis)).rejects.toMatchObject({ code: "share/refused" });
    },
  );
});

test("nothing in Redis shows the key or the service", async () => {
  const redis = await startRedis();
  const one = await join(redis, { key: "sk_secret" });
  await one.share.lease.take();
  const service = fixedWindow(5, 60_000);
  await askOften(one, 5, service.request);
  const { stdout } = { stdout: JSON.stringify(await everythingIn(redis)) };
  expect(stdout).toContain("plancast:events:");
  expect(stdout).not.toMatch(/sk_secret|api\.example\.com/);
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
