import { expect, test } from "vitest";
import { Limiter } from "../../src/service/limiter.ts";
import type { RateReading } from "../../src/service/rate-headers.ts";

const clock = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

const { signal: stop } = new AbortController();

/** A fixed window that counts what it would have refused. */
function fixedWindow(limit: number, windowMs: number) {
  let resetAt = 0;
  let used = 0;
  const seen = { requests: 0, refused: 0 };
  const request = async (): Promise<RateReading> => {
    if (Date.now() >= resetAt) {
      resetAt = Date.now() + windowMs;
      used = 0;
    }
    used += 1;
    seen.requests += 1;
    if (used > limit) seen.refused += 1;
    const reading = { limit, remaining: Math.max(0, limit - used), resetAt, isCoarse: false };
    await clock.sleep(Math.random() * 15);
    return reading;
  };
  return { request, seen };
}

test("sends nothing that the window would refuse, and everything in the end", async () => {
  const service = fixedWindow(10, 300);
  const limiter = new Limiter({ clock, fallbackLimit: 30, stop });
  await Promise.all(
    Array.from({ length: 45 }, () => limiter.schedule(5, service.request, (reading) => reading)),
  );
  expect(service.seen).toEqual({ requests: 45, refused: 0 });
  expect(limiter.waitedMs).toBeGreaterThan(300);
});

test("a pause holds every request back, also those that come later", async () => {
  const limiter = new Limiter({ clock, fallbackLimit: 30, stop });
  const until = Date.now() + 200;
  limiter.pause(until);
  await limiter.schedule(
    5,
    async () => expect(Date.now()).toBeGreaterThanOrEqual(until),
    () => undefined,
  );
});

test("an idle limiter wakes up for a request that comes after its window is over", async () => {
  const service = fixedWindow(1, 100);
  const limiter = new Limiter({ clock, fallbackLimit: 30, stop });
  await limiter.schedule(5, service.request, (reading) => reading);
  await clock.sleep(250);
  await limiter.schedule(5, service.request, (reading) => reading);
  expect(service.seen).toEqual({ requests: 2, refused: 0 });
});

test("a request that fails lets the next one probe", async () => {
  const limiter = new Limiter({ clock, fallbackLimit: 30, stop });
  const broken = limiter.schedule(
    5,
    () => Promise.reject(new Error("broken")),
    () => undefined,
  );
  await expect(broken).rejects.toThrow("broken");
  expect(
    await limiter.schedule(
      5,
      async () => "through",
      () => undefined,
    ),
  ).toBe("through");
});

test("a stop gives up what waits, at once, and lets what is sent come back", async () => {
  const stopping = new AbortController();
  const limiter = new Limiter({ clock, fallbackLimit: 30, stop: stopping.signal });
  const none = { limit: 30, remaining: 0, resetAt: Date.now() + 60_000, isCoarse: false };
  expect(
    await limiter.schedule(
      5,
      async () => none,
      (reading) => reading,
    ),
  ).toBe(none);
  const waiting = [1, 2, 3].map(() =>
    limiter.schedule(
      5,
      async () => "sent",
      () => undefined,
    ),
  );
  await clock.sleep(50);
  stopping.abort();
  expect(await Promise.all(waiting)).toEqual(["stopped", "stopped", "stopped"]);
  expect(
    await limiter.schedule(
      5,
      async () => "sent",
      () => undefined,
    ),
  ).toBe("stopped");
});
