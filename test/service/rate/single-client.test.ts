/** The rate window with models of services and a simulated clock. Nobody else uses the key. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../support/property-tests.ts";
import { type ModelOptions, RateModel } from "../../support/rate/model.ts";
import { seeded } from "../../support/rate/random.ts";
import { type Simulated, simulate } from "../../support/rate/simulate.ts";

const NOON = Date.parse("2030-01-01T12:00:00Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const TOLD = [
  ["seconds", "up"],
  ["seconds", "nearest"],
  ["seconds", "down"],
  ["epoch", "up"],
  ["epoch", "nearest"],
  ["epoch", "down"],
  ["epoch-ms", "nearest"],
] as const;

const told = fc.constantFrom(...TOLD).map(([unit, rounding]) => ({ unit, rounding }));
const windowMs = fc.constantFrom(10_000, 15_000, 20_000, 30_000, 60_000);
const startAt = fc.nat({ max: HOUR_MS }).map((ms) => NOON + ms);

interface Run {
  readonly model: Omit<ModelOptions, "hasDate" | "retryAfter"> & { hasDate?: boolean };
  readonly requests: number;
  readonly startAt: number;
  readonly aheadMs?: number;
  /** The longest time that a request or an answer takes to arrive, in ms. */
  readonly latencyMs: number;
  readonly seed: number;
  readonly fallbackLimit?: number;
}

function run({ model, requests, startAt, aheadMs = 0, latencyMs, seed, fallbackLimit = 30 }: Run): Simulated {
  const service = new RateModel({ hasDate: true, retryAfter: true, ...model });
  const random = seeded(seed);
  const [simulated] = simulate({
    answer: (now) => service.request(now),
    clients: [requests],
    startAt,
    aheadMs,
    latency: () => 1 + Math.floor(random() * latencyMs),
    window: { fallbackLimit },
    mostMs: DAY_MS,
  });
  if (simulated === undefined) throw new Error("unreachable");
  return simulated;
}

/** The shortest total wait for full windows, in ms. */
function bound(requests: number, limit: number, windowMs: number): number {
  return Math.floor((requests - 1) / limit) * windowMs;
}

describe("windows that begin with their first request", () => {
  test("are used fully: nothing is refused, and sending takes at most 1.02 times the shortest possible time", () => {
    fc.assert(
      fc.property(
        fc.record({ told, windowMs, startAt, limit: fc.integer({ min: 1, max: 120 }) }),
        fc.record({ windows: fc.integer({ min: 8, max: 10 }), more: fc.nat(), seed: fc.nat() }),
        fc.boolean(),
        ({ told, windowMs, startAt, limit }, { windows, more, seed }, hasDate) => {
          const requests = windows * limit + 1 + (more % limit);
          const model = { kind: "first", limit, windowMs, hasDate, ...told } as const;
          const { sent, refused, tookMs } = run({ model, requests, startAt, latencyMs: 12, seed });
          expect({ sent, refused }).toEqual({ sent: requests, refused: 0 });
          expect(tookMs / bound(requests, limit, windowMs)).toBeLessThan(1.02);
        },
      ),
      { numRuns: manyRuns(1_000) },
    );
  });

  test.each(TOLD)(
    "are used fully after the first two windows, with a reset in %s rounded %s",
    (unit, rounding) => {
      for (let phase = 0; phase < 1_000; phase += 50) {
        const model = { kind: "first", limit: 60, windowMs: 10_000, unit, rounding } as const;
        const startAt = NOON + 5_000 + phase;
        const { refused, tookMs } = run({ model, requests: 121, startAt, latencyMs: 12, seed: phase });
        expect(refused).toBe(0);
        expect(tookMs / 20_000).toBeLessThan(1.02);
      }
    },
  );

  test.each([DAY_MS, -DAY_MS, 90_000, -90_000])(
    "are used fully with a service clock %i ms ahead",
    (aheadMs) => {
      for (const [unit, rounding] of TOLD) {
        const model = { kind: "first", limit: 60, windowMs: 60_000, unit, rounding } as const;
        const { refused, tookMs } = run({
          model,
          requests: 301,
          startAt: NOON + 123,
          aheadMs,
          latencyMs: 12,
          seed: 1,
        });
        expect(refused).toBeLessThanOrEqual(1);
        expect(tookMs / 300_000).toBeLessThan(1.02);
      }
    },
  );

  test("are used fully with slow answers", () => {
    for (const [unit, rounding] of TOLD) {
      const model = { kind: "first", limit: 30, windowMs: 60_000, unit, rounding } as const;
      const { refused, tookMs } = run({ model, requests: 181, startAt: NOON, latencyMs: 700, seed: 2 });
      expect(refused).toBe(0);
      expect(tookMs / 360_000).toBeLessThan(1.02);
    }
  });
});

describe("other kinds of windows", () => {
  test("refuse hardly any request, and everything is sent soon enough", () => {
    fc.assert(
      fc.property(
        fc.record({
          told,
          windowMs,
          startAt,
          kind: fc.constantFrom("clock", "sliding", "bucket"),
          limit: fc.integer({ min: 5, max: 120 }),
          phaseMs: fc.nat({ max: 60_000 }),
          aheadMs: fc.integer({ min: -800, max: 800 }),
          hasDate: fc.boolean(),
        }),
        fc.record({ windows: fc.integer({ min: 3, max: 6 }), seed: fc.nat() }),
        ({ told, windowMs, startAt, kind, limit, phaseMs, aheadMs, hasDate }, { windows, seed }) => {
          const requests = windows * limit;
          const model = { kind, limit, windowMs, phaseMs, hasDate, ...told };
          const { sent, refused, tookMs } = run({ model, requests, startAt, aheadMs, latencyMs: 8, seed });
          expect(sent - refused).toBe(requests);
          expect(refused).toBeLessThanOrEqual(windows);
          // Resets in whole seconds may cost up to two seconds per window. plancast waits until a bucket is full.
          expect(tookMs).toBeLessThan(windows * (windowMs + 3_000) + windowMs);
        },
      ),
      { numRuns: manyRuns(1_000) },
    );
  });

  test.each(["seconds", "epoch", "epoch-ms"] as const)(
    "are used fully when they begin on the minute, with a reset in %s",
    (unit) => {
      for (let seed = 1; seed <= 40; seed += 1) {
        const startAt = NOON + seed * 1_337;
        const untilFull = 60_000 - (startAt % 60_000);
        const model = { kind: "clock", limit: 60, windowMs: 60_000, unit, rounding: "up" } as const;
        const { refused, tookMs } = run({ model, requests: 301, startAt, latencyMs: 12, seed });
        expect(refused).toBe(0);
        expect(tookMs / (untilFull + 4 * 60_000)).toBeLessThan(1.02);
      }
    },
  );

  test("may become shorter during a run, with resets that go backwards", () => {
    for (const [unit, rounding] of TOLD) {
      const common = {
        kind: "first",
        windowMs: 60_000,
        unit,
        rounding,
        hasDate: true,
        retryAfter: true,
      } as const;
      const before = new RateModel({ ...common, limit: 60 });
      const after = new RateModel({ ...common, limit: 10, windowMs: 20_000 });
      let requests = 0;
      const [simulated] = simulate({
        answer: (now) => (++requests <= 40 ? before : after).request(now),
        clients: [100],
        startAt: NOON,
        latency: () => 3,
        mostMs: HOUR_MS,
      });
      // Requests that were already under way when the limit became smaller may be refused.
      expect(simulated?.refused).toBeLessThanOrEqual(6);
      expect(simulated?.tookMs).toBeLessThan(4 * 60_000);
    }
  });
});
