import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RateObservation, RateReading } from "../../../src/service/rate/rate-headers.ts";
import { type RateWindowOptions, RateWindow } from "../../../src/service/rate/rate-window.ts";

const START = Date.parse("2030-01-01T12:00:07.300Z");

function makeWindow(options: Partial<RateWindowOptions> = {}): RateWindow {
  return new RateWindow({ fallbackLimit: 30, reserve: () => 0, random: () => 0.5, ...options });
}

/** An answer; the reset `inMs` after the start. */
function answer(remaining: number, inMs: number, more: Partial<RateReading> = {}): RateObservation {
  const reset = { unit: "epoch-ms", ms: START + inMs, isCoarse: false } as const;
  const reading = { limit: undefined, remaining, reset, date: undefined, ...more };
  return { reading, refused: false, retryAfterMs: undefined };
}

function refusal(retryAfterMs?: number, remaining = 0, inMs = 60_000): RateObservation {
  return { ...answer(remaining, inMs), refused: true, retryAfterMs };
}

/** Sends one request that is answered at once. */
function send(window: RateWindow, at: number, news: RateObservation | undefined): void {
  window.started(START + at);
  window.ended(START + at, START + at, news);
}

function allowance(window: RateWindow, at: number): number {
  return window.allowance(START + at);
}

describe("a rate window", () => {
  test("allows one probe at the start and after a reset, then what the answer allows", () => {
    const window = makeWindow();
    expect(allowance(window, 0)).toBe(1);
    window.started(START);
    expect(allowance(window, 0)).toBe(0);
    expect(window.opening(START)).toBeUndefined();
    window.ended(START, START + 10, answer(5, 1_000));
    expect(allowance(window, 10)).toBe(5);
    expect(allowance(window, 999)).toBe(5);
    expect(allowance(window, 1_100)).toBe(1);
  });

  test("counts requests in flight, and uses the smallest remaining count of any answer", () => {
    const window = makeWindow();
    send(window, 0, answer(3, 60_000));
    window.started(START);
    window.started(START);
    expect(allowance(window, 2)).toBe(1);
    window.ended(START + 1, START + 3, answer(1, 60_000));
    window.ended(START + 1, START + 4, answer(2, 60_000));
    expect(allowance(window, 5)).toBe(1);
  });

  test("ignores an answer of an older window", () => {
    const window = makeWindow();
    window.started(START);
    window.started(START);
    window.ended(START, START + 70_000, answer(9, 120_000));
    window.ended(START, START + 70_001, answer(0, 60_000));
    expect(allowance(window, 70_002)).toBe(9);
  });

  test("counts a request without an answer, and allows the next probe", () => {
    const window = makeWindow();
    send(window, 0, undefined);
    expect(allowance(window, 1)).toBe(1);
    send(window, 1, answer(3, 60_000));
    send(window, 2, undefined);
    expect(allowance(window, 3)).toBe(2);
  });
});

describe("a refusal", () => {
  test("holds back all requests for the given time, then allows one probe", () => {
    const window = makeWindow();
    send(window, 0, answer(9, 60_000));
    window.started(START + 1);
    send(window, 1, refusal(5_000));
    expect(allowance(window, 2)).toBe(0);
    expect(window.opening(START + 2)).toEqual({ at: START + 5_001, why: "told" });
    // What was sent before the refusal says nothing new.
    window.ended(START + 1, START + 10, answer(8, 60_000));
    expect(allowance(window, 11)).toBe(0);
    expect(allowance(window, 5_001)).toBe(1);
    window.started(START + 5_001);
    expect(allowance(window, 5_002)).toBe(0);
  });

  test("without a time holds back until the reset, or for a backoff when requests remain", () => {
    const window = makeWindow();
    send(window, 0, refusal(undefined, 0, 8_000));
    expect(window.opening(START + 1)).toMatchObject({ why: "limit" });
    expect(window.opening(START + 1)?.at).toBeGreaterThanOrEqual(START + 8_000);
    const other = makeWindow();
    send(other, 0, refusal(undefined, 5));
    expect(other.opening(START + 1)).toEqual({ at: START + 500, why: "refused" });
  });

  test("is obeyed beyond the end of the window", () => {
    const window = makeWindow();
    send(window, 0, refusal(120_000, 0, 60_000));
    expect(allowance(window, 70_000)).toBe(0);
    expect(window.opening(START + 70_000)).toEqual({ at: START + 120_000, why: "told" });
    expect(allowance(window, 120_000)).toBe(1);
  });

  test("with a reset but without a count closes the window", () => {
    const window = makeWindow();
    send(window, 0, { ...answer(0, 60_000, { remaining: undefined }), refused: true });
    expect(allowance(window, 59_999)).toBe(0);
    expect(window.opening(START + 1)).toEqual({ at: START + 60_000, why: "limit" });
    expect(allowance(window, 60_000)).toBe(1);
  });

  test("a Retry-After of an accepted request holds back all requests", () => {
    const window = makeWindow();
    send(window, 0, { ...answer(9, 60_000), retryAfterMs: 4_000 });
    expect(window.opening(START + 1)).toEqual({ at: START + 4_000, why: "told" });
    expect(allowance(window, 4_000)).toBe(1);
  });
});

const NO_HEADERS: RateObservation = {
  reading: { limit: undefined, remaining: undefined, reset: undefined, date: undefined },
  refused: false,
  retryAfterMs: undefined,
};

test("counts requests against the plan's limit a minute where there are no headers", () => {
  const window = makeWindow({ fallbackLimit: 3 });
  for (let sent = 0; sent < 3; sent += 1) {
    expect(allowance(window, sent)).toBeGreaterThan(0);
    send(window, sent, NO_HEADERS);
  }
  expect(allowance(window, 3)).toBe(0);
  expect(window.opening(START + 3)).toEqual({ at: START + 60_000, why: "limit" });
  expect(allowance(window, 60_000)).toBe(1);
});

test("a later answer corrects the end of a window", () => {
  const window = makeWindow();
  send(window, 0, answer(2, 0, { reset: undefined }));
  expect(window.opening(START + 1)?.at).toBe(START + 60_000);
  send(window, 1, answer(1, 10_000));
  expect(window.opening(START + 2)?.at).toBeLessThan(START + 10_100);
});

test("does not use the reserve", () => {
  const window = makeWindow({ reserve: (limit) => limit / 5 });
  send(window, 0, answer(29, 60_000, { limit: 30 }));
  expect(allowance(window, 1)).toBe(23);
});

test("allows a probe after the local clock is set back", () => {
  const window = makeWindow();
  send(window, 0, answer(0, 60_000));
  expect(allowance(window, 1)).toBe(0);
  expect(allowance(window, -3_600_000)).toBe(1);
});

test("gives a pace without the reserve: what is left now, then a whole window", () => {
  const window = makeWindow({ fallbackLimit: 30, reserve: () => 5 });
  expect(window.pace(START)).toEqual({ free: 25, opensInMs: 60_000, perWindow: 25, windowMs: 60_000 });
  send(window, 0, answer(119, 10_000, { limit: 120 }));
  expect(window.pace(START + 1_000)).toMatchObject({ free: 114, perWindow: 115, windowMs: 10_000 });
  send(window, 1, refusal(4_000));
  expect(window.pace(START + 1)).toMatchObject({ free: 0, opensInMs: 4_000 });
  const usedUp = makeWindow();
  send(usedUp, 0, answer(0, 10_000));
  expect(usedUp.pace(START + 1).free).toBe(0);
});

test("uses answers to other processes", () => {
  const window = makeWindow();
  window.observe(START, START + 5, answer(4, 60_000));
  expect(allowance(window, 6)).toBe(4);
  window.observe(START, START + 7, refusal(3_000));
  expect(allowance(window, 8)).toBe(0);
});

test("starts no request that a fixed window would refuse, in any order of answers", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.record({ answer: fc.boolean(), wait: fc.nat({ max: 400 }), pick: fc.nat() }), {
        maxLength: 200,
      }),
      (limit, steps) => {
        const window = makeWindow();
        const inFlight: { sentAt: number; news: RateObservation }[] = [];
        let server = { resetAt: 0, used: 0 };
        let at = 0;
        for (const { answer: isAnswer, wait, pick } of steps) {
          at += wait;
          if (isAnswer && inFlight.length > 0) {
            const [done] = inFlight.splice(pick % inFlight.length, 1);
            if (done !== undefined) window.ended(done.sentAt, START + at, done.news);
          } else if (allowance(window, at) > 0) {
            window.started(START + at);
            if (at >= server.resetAt) server = { resetAt: at + 10_000, used: 0 };
            server.used += 1;
            expect(server.used).toBeLessThanOrEqual(limit);
            inFlight.push({ sentAt: START + at, news: answer(limit - server.used, server.resetAt) });
          }
        }
      },
    ),
  );
});
