import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateWindow } from "../../src/service/rate-window.ts";

function reading(remaining: number | undefined, resetAt: number | undefined) {
  return { limit: undefined, remaining, resetAt, isCoarse: false };
}

describe("one probe, then what the answer allows", () => {
  test("at the start, and after a reset", () => {
    const window = new RateWindow(30);
    expect(window.allowance(0)).toBe(1);
    window.started();
    expect(window.allowance(0)).toBe(0);
    window.ended(0, 10, reading(5, 1_000));
    expect(window.allowance(10)).toBe(5);
    expect(window.allowance(999)).toBe(5);
    expect(window.allowance(1_000)).toBe(1);
  });

  test("what is in flight is not allowed again; the least remaining counts, whatever the order of answers", () => {
    const window = new RateWindow(30);
    window.started();
    window.ended(0, 1, reading(3, 60_000));
    window.started();
    window.started();
    expect(window.allowance(2)).toBe(1);
    window.ended(1, 3, reading(1, 60_000));
    window.ended(1, 4, reading(2, 60_000));
    expect(window.allowance(5)).toBe(1);
  });

  test("an answer of an older window is ignored", () => {
    const window = new RateWindow(30);
    window.started();
    window.started();
    window.ended(0, 70_000, reading(9, 120_000));
    window.ended(0, 70_001, reading(0, 60_000));
    expect(window.allowance(70_002)).toBe(9);
  });

  test("a pause holds all back, and says until when", () => {
    const window = new RateWindow(30);
    window.pause(5_000);
    expect([window.allowance(4_999), window.opensAt(0), window.allowance(5_000)]).toEqual([0, 5_000, 1]);
  });
});

test.each([
  ["no headers at all", undefined],
  ["a remaining that is none", reading(undefined, 60_000)],
])("%s: requests are counted against the plan's limit a minute", (_name, told) => {
  const window = new RateWindow(3);
  for (let sent = 0; sent < 3; sent += 1) {
    expect(window.allowance(sent)).toBeGreaterThan(0);
    window.started();
    window.ended(sent, sent, told);
  }
  expect(window.allowance(3)).toBe(0);
  expect(window.opensAt(3)).toBe(60_000);
  expect(window.allowance(60_000)).toBe(1);
});

function coarse(remaining: number, resetAt: number) {
  return { limit: 30, remaining, resetAt, isCoarse: true };
}

describe("a reset in whole seconds may be a second later than told", () => {
  test.each([
    ["nothing shows how it rounds", coarse(12, 33_000), 34_000],
    ["it rounds up: a minute from the first request", coarse(29, 60_000), 60_000],
    ["it rounds up: a time that is later than a minute from the first request", coarse(29, 60_700), 60_700],
    ["it rounds down", coarse(29, 59_300), 60_300],
  ])("%s", (_name, told, opensAt) => {
    const window = new RateWindow(30);
    window.started();
    window.ended(0, 20, told);
    window.started();
    window.ended(20, 40, { ...told, remaining: 0 });
    expect(window.opensAt(50)).toBe(opensAt);
  });
});

test("no request is started that a fixed window would refuse, in any order of answers", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.record({ answer: fc.boolean(), wait: fc.integer({ min: 0, max: 400 }), pick: fc.nat() }), {
        maxLength: 200,
      }),
      (limit, steps) => {
        const window = new RateWindow(30);
        const inFlight: { sentAt: number; told: ReturnType<typeof reading> }[] = [];
        let server = { resetAt: 0, used: 0 };
        let now = 0;
        for (const { answer, wait, pick } of steps) {
          now += wait;
          if (answer && inFlight.length > 0) {
            const [done] = inFlight.splice(pick % inFlight.length, 1);
            if (done !== undefined) window.ended(done.sentAt, now, done.told);
          } else if (window.allowance(now) > 0) {
            window.started();
            if (now >= server.resetAt) server = { resetAt: now + 10_000, used: 0 };
            server.used += 1;
            expect(server.used).toBeLessThanOrEqual(limit);
            inFlight.push({ sentAt: now, told: reading(limit - server.used, server.resetAt) });
          }
        }
      },
    ),
  );
});
