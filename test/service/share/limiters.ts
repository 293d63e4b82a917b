/** Limiters that share a real Redis, each with its own connection, as processes have them. */

import { onTestFinished } from "vitest";
import type { Clock, Wait } from "../../../src/model/clock.ts";
import { Limiter } from "../../../src/service/rate/limiter.ts";
import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { RateLimits } from "../../../src/service/rate/rate-limits.ts";
import { type Share, openShare } from "../../../src/service/share/open-share.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import type { TestRedis } from "../../support/redis-server.ts";

export interface Sharing {
  readonly limiter: Limiter;
  readonly share: Share;
  /** As if the process had died: it sends nothing more. */
  readonly die: () => void;
}

interface Options {
  readonly clock?: Clock;
  readonly key?: string;
  /** Runs when requests begin to wait for the limit. */
  readonly onWait?: (wait: Wait) => void;
}

export async function join(redis: TestRedis, options: Options = {}): Promise<Sharing> {
  const dead = new AbortController();
  const given = options.clock ?? systemClock;
  const rules = { fallbackLimit: 30, reserve: () => 0, random: () => 0.5 };
  const share = await openShare({
    url: redis.url,
    origin: "https://api.example.com",
    key: options.key ?? "sk_1",
    project: "plancast.lock.json",
    timeoutMs: 1_000,
    window: new RateLimits(rules),
    clock: {
      now: () => given.now(),
      // A dead process does not wake up.
      sleep: async (ms, signal) => {
        await given.sleep(ms, signal);
        if (dead.signal.aborted) await new Promise(() => undefined);
      },
    },
  });
  onTestFinished(() => share.close());
  const onWait = options.onWait ?? ((): void => {});
  const limiter = new Limiter({ ...rules, clock: given, stop: share.lost, onWait, shared: share });
  return { limiter, share, die: () => dead.abort() };
}

export function shifted(ms: number): Clock {
  return { ...systemClock, now: () => Date.now() + ms };
}

/** A fixed window that counts refused requests, and all requests of each window. */
export function fixedWindow(perWindow: number, windowMs: number) {
  let resetAt = 0;
  const windows: number[] = [];
  const seen = { refused: 0, windows };
  const request = async (): Promise<RateObservation> => {
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
    const date = Math.floor(Date.now() / 1_000) * 1_000;
    await systemClock.sleep(Math.random() * 15);
    return {
      reading: { windows: [{ name: "", limit: perWindow, remaining, reset }], date },
      refused,
      retryAfterMs: undefined,
    };
  };
  return { request, seen };
}

/** A request whose answer has rate-limit headers. */
export function ask(
  { limiter }: Sharing,
  send: () => Promise<RateObservation>,
): Promise<RateObservation | "stopped" | "closed"> {
  return limiter.schedule({ priority: 5, send, observationOf: (observation) => observation });
}

/** A request whose answer has none. */
export function run<T>({ limiter }: Sharing, send: () => Promise<T>): Promise<T | "stopped" | "closed"> {
  return limiter.schedule({ priority: 5, send, observationOf: () => undefined });
}

export function askOften(
  sharing: Sharing,
  count: number,
  send: () => Promise<RateObservation>,
): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => ask(sharing, send)));
}
