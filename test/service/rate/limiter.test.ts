import { beforeEach, expect, test } from "vitest";
import type { Wait } from "../../../src/model/clock.ts";
import { type LimiterOptions, CONCURRENCY, Limiter, PRIORITY } from "../../../src/service/rate/limiter.ts";
import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { TestClock } from "../../support/test-clock.ts";

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});

function makeLimiter(options: Partial<LimiterOptions> = {}): Limiter {
  const { signal: stop } = new AbortController();
  const common = { clock, fallbackLimit: 30, reserve: () => 0, random: Math.random, onWait: () => undefined };
  return new Limiter({ ...common, stop, ...options });
}

function news(limit: number, remaining: number, resetAt: number): RateObservation {
  const reset = { unit: "epoch-ms", ms: resetAt, isCoarse: false } as const;
  const windows = [{ name: "", limit, remaining, reset }];
  return { reading: { windows, date: undefined }, refused: false, retryAfterMs: undefined };
}

/** A fixed window that counts the requests that it would refuse. */
function fixedWindow(limit: number, windowMs: number) {
  let resetAt = 0;
  let used = 0;
  const seen = { requests: 0, refused: 0 };
  const request = async (): Promise<RateObservation> => {
    if (clock.now() >= resetAt) {
      resetAt = clock.now() + windowMs;
      used = 0;
    }
    used += 1;
    seen.requests += 1;
    if (used > limit) seen.refused += 1;
    const answer = news(limit, Math.max(0, limit - used), resetAt);
    await clock.sleep(Math.random() * 15);
    return answer;
  };
  return { request, seen };
}

const itself = (answer: RateObservation): RateObservation => answer;
const nothing = (): undefined => undefined;

test("sends all requests, and the service refuses none", async () => {
  const service = fixedWindow(10, 60_000);
  const limiter = makeLimiter();
  await Promise.all(
    Array.from({ length: 45 }, () =>
      limiter.schedule({ priority: 5, send: service.request, observationOf: itself }),
    ),
  );
  expect(service.seen).toEqual({ requests: 45, refused: 0 });
  expect(limiter.waitedMs).toBeGreaterThan(4 * 59_000);
});

test("sends requests in their order, and lists before writes", async () => {
  let isQueueing = false;
  clock = new TestClock(() => isQueueing);
  const service = fixedWindow(5, 60_000);
  const limiter = makeLimiter();
  const started: string[] = [];
  const schedule = (name: string, priority: number): Promise<unknown> => {
    const send = (): Promise<RateObservation> => {
      started.push(name);
      return service.request();
    };
    return limiter.schedule({ priority: priority, send: send, observationOf: itself });
  };
  await Promise.all(
    Array.from({ length: 5 }, () =>
      limiter.schedule({ priority: 5, send: service.request, observationOf: itself }),
    ),
  );
  isQueueing = true;
  const names = Array.from({ length: 12 }, (_, index) => `write ${index}`);
  const writes = names.map((name) => schedule(name, PRIORITY.write));
  const again = schedule("write again", PRIORITY.write + PRIORITY.again);
  const list = schedule("list", PRIORITY.read);
  // Bottleneck queues one request per turn of the event loop. The window opens when all are queued.
  for (let turn = 0; turn < 200; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  isQueueing = false;
  await Promise.all([...writes, again, list]);
  expect(started).toEqual(["list", "write again", ...names]);
});

test("holds back all requests, even later ones, until the time that the service gives, and reports the wait", async () => {
  const waits: Wait[] = [];
  const limiter = makeLimiter({ onWait: (wait) => waits.push(wait) });
  const refused = { ...news(30, 0, clock.now() + 60_000), refused: true, retryAfterMs: 1_200 };
  await limiter.schedule({ priority: 5, send: async () => refused, observationOf: itself });
  const until = clock.now() + 1_100;
  const times: number[] = [];
  const sent = (): Promise<unknown> =>
    limiter.schedule({ priority: 5, send: async () => times.push(clock.now()), observationOf: nothing });
  const first = [sent(), sent()];
  await Promise.all([...first, sent()]);
  expect(times.length).toBe(3);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(until);
  expect(waits).toEqual([{ requests: 1, until: expect.any(Number), ms: expect.any(Number), why: "told" }]);
  expect(waits[0]?.until).toBeGreaterThanOrEqual(until);
});

test("sends a request if the window has ended without any request", async () => {
  const service = fixedWindow(1, 60_000);
  const limiter = makeLimiter();
  await limiter.schedule({ priority: 5, send: service.request, observationOf: itself });
  clock.advance(150_000);
  await limiter.schedule({ priority: 5, send: service.request, observationOf: itself });
  expect(service.seen).toEqual({ requests: 2, refused: 0 });
});

test("sends the next request after one that failed without an answer", async () => {
  const limiter = makeLimiter();
  const broken = limiter.schedule({
    priority: 5,
    send: () => Promise.reject(new Error("broken")),
    observationOf: nothing,
  });
  await expect(broken).rejects.toThrow("broken");
  expect(await limiter.schedule({ priority: 5, send: async () => "through", observationOf: nothing })).toBe(
    "through",
  );
});

test("a stop drops waiting requests immediately", async () => {
  const stopping = new AbortController();
  const limiter = makeLimiter({ stop: stopping.signal });
  const none = news(30, 0, clock.now() + 60_000);
  expect(await limiter.schedule({ priority: 5, send: async () => none, observationOf: itself })).toBe(none);
  const waiting = Array.from({ length: 20 }, () =>
    limiter.schedule({ priority: 5, send: async () => "sent", observationOf: nothing }),
  );
  expect(limiter.waiting).toBe(20);
  stopping.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["stopped"]));
  expect(await limiter.schedule({ priority: 5, send: async () => "sent", observationOf: nothing })).toBe(
    "stopped",
  );
});

const answer = (remaining: number) => ({
  send: () => Promise.resolve(news(10, remaining, clock.now() + 60_000)),
  observationOf: itself,
  priority: 5,
});

test("sends only urgent requests after a stop, and only within the limit", async () => {
  const stopping = new AbortController();
  const limiter = makeLimiter({ stop: stopping.signal });
  await limiter.schedule(answer(9));
  stopping.abort();
  expect(await limiter.schedule(answer(8))).toBe("stopped");
  expect(await limiter.schedule({ ...answer(0), isUrgent: true })).not.toBe("stopped");
  expect(await limiter.schedule({ ...answer(0), isUrgent: true })).toBe("stopped");
});

test("if a run is stopped, an urgent request is still sent, even if it waits behind others", async () => {
  const stopping = new AbortController();
  const limiter = makeLimiter({ stop: stopping.signal });
  await limiter.schedule(answer(9));
  let [begin, finish] = [(): void => {}, (): void => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let started = 0;
  const send = async (): Promise<RateObservation> => {
    started += 1;
    if (started === CONCURRENCY) begin();
    await finished;
    return news(10, 8, clock.now() + 60_000);
  };
  const sent = Array.from({ length: CONCURRENCY }, () => limiter.schedule({ ...answer(8), send }));
  await begun;
  const waiting = limiter.schedule(answer(7));
  const urgent = limiter.schedule({ ...answer(7), isUrgent: true });
  stopping.abort();
  expect(await waiting).toBe("stopped");
  expect(await urgent).not.toBe("stopped");
  finish();
  expect(await Promise.all(sent)).not.toContain("stopped");
});

/** Time passes only when the code reads the clock or sleeps. Any other wait would never end. */
async function sentAfter(waitMs: number): Promise<string> {
  let at = 0;
  const ticking = {
    now: () => (at += 1),
    sleep: async (ms: number) => {
      at += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const limiter = makeLimiter({ clock: ticking });
  const refused = { ...news(30, 0, Number.NaN), refused: true, retryAfterMs: waitMs };
  const bare = { ...refused, reading: { windows: [], date: undefined } };
  await limiter.schedule({ priority: 5, send: async () => bare, observationOf: itself });
  return limiter.schedule({ priority: 5, send: async () => "sent", observationOf: nothing });
}

test("sends a request whose wait ends while the limiter reads the clock", async () => {
  const waits = Array.from({ length: 60 }, (_, index) => index + 1);
  expect(await Promise.all(waits.map(sentAfter))).toEqual(waits.map(() => "sent"));
});
