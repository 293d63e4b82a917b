/** Headers that are missing, constant or absurd: the rate window neither hangs nor floods. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type RateObservation, readRateHeaders } from "../../../src/service/rate/rate-headers.ts";
import { RateLimits } from "../../../src/service/rate/rate-limits.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { seeded } from "../../support/rate/random.ts";
import { simulate } from "../../support/rate/simulate.ts";

const START = Date.parse("2030-01-01T12:00:10Z");
const MINUTE_MS = 60_000;

type Told = Readonly<Record<string, string>>;

const told = (limit: string, remaining: string, reset: string): Told => ({
  "x-ratelimit-limit": limit,
  "x-ratelimit-remaining": remaining,
  "x-ratelimit-reset": reset,
});

const seconds = (ms: number): string => String(Math.ceil(ms / 1_000));

test.each<[string, (now: number) => Told]>([
  ["none at all", () => ({})],
  ["empty", () => told("", "", "")],
  ["negative", () => told("-30", "-1", "-60")],
  ["no numbers", () => told("NaN", "NaN", "NaN")],
  ["words", () => told("many", "some", "soon")],
  ["infinite", () => told("1e999", "1e999", "1e999")],
  ["a constant remaining, and a reset that stays ahead", () => told("1000", "1000", "60")],
  ["a constant remaining, and an immediate reset", () => told("1000", "999", "0")],
  ["a constant remaining, and a reset every second", () => told("1000", "500", "1")],
  ["a constant remaining, a reset as a time", (now) => told("1000", "1000", seconds(now + MINUTE_MS))],
  ["a constant remaining, a reset that is now", (now) => told("1000", "1000", String(now))],
  ["a constant remaining of none, though all is let in", () => told("1000", "0", "60")],
  ["a reset alone", () => ({ "x-ratelimit-reset": "1" })],
  ["a limit alone, which is obeyed", () => ({ "x-ratelimit-limit": "30" })],
])("keeps to 30 requests a minute with %s", (_name, headers) => {
  const minutes = 10;
  const perMinute = new Map<number, number>();
  const [simulated] = simulate({
    answer: (now) => {
      const minute = Math.floor((now - START) / MINUTE_MS);
      perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
      return { reading: readRateHeaders(headers(now)), refused: false, retryAfterMs: undefined };
    },
    clients: [30 * minutes],
    startAt: START,
    latency: () => 3,
    mostMs: (minutes + 5) * MINUTE_MS,
  });
  expect(Math.max(...perMinute.values())).toBeLessThanOrEqual(60);
  expect(simulated?.tookMs).toBeGreaterThan((minutes - 2) * MINUTE_MS);
});

test.each([
  ["in 1970", "315532800"],
  ["in 1970, in ms", "315532800000"],
  ["in 2999", "32472144000"],
  ["in 2999, in ms", "32472144000000"],
  ["long ago", "1893000000"],
])("ignores a reset %s but uses the remaining count", (_name, reset) => {
  let used = 0;
  let resetAt = START + MINUTE_MS;
  let refused = 0;
  const [simulated] = simulate({
    answer: (now) => {
      if (now >= resetAt) {
        used = 0;
        resetAt = now + MINUTE_MS;
      }
      used += 1;
      const isRefused = used > 20;
      if (isRefused) refused += 1;
      const headers = told("20", String(Math.max(0, 20 - used)), reset);
      return { reading: readRateHeaders(headers), refused: isRefused, retryAfterMs: undefined };
    },
    clients: [101],
    startAt: START,
    latency: () => 3,
    mostMs: 10 * MINUTE_MS,
  });
  expect(refused).toBe(0);
  expect(simulated?.tookMs).toBeLessThan(5.1 * MINUTE_MS);
});

test("slows down for refusals while requests remain, and finishes the run", () => {
  const random = seeded(1);
  let recent: number[] = [];
  let left = 600;
  let refused = 0;
  simulate({
    answer: (now) => {
      // The service also refuses more than five requests per second.
      recent = recent.filter((at) => at > now - 1_000);
      const isRefused = recent.length >= 5;
      if (isRefused) refused += 1;
      else recent.push(now);
      left -= 1;
      const headers = told("600", String(left), seconds(START + 10 * MINUTE_MS));
      return {
        reading: readRateHeaders(headers),
        refused: isRefused,
        retryAfterMs: isRefused ? 1_000 : undefined,
      };
    },
    clients: [100],
    startAt: START,
    latency: () => 5 + 20 * random(),
    mostMs: 2 * MINUTE_MS,
  });
  expect(refused).toBeLessThan(150);
});

test("whatever the answers were, the next request may start within an hour", () => {
  const number = fc.oneof(
    fc.constantFrom("", "0", "1", "60", "-1", "NaN", "1e400", "1.5", "99999", "315532800", "32472144000"),
    fc.integer({ min: -10, max: 100 }).map(String),
    fc.integer({ min: START / 1_000 - 100, max: START / 1_000 + 4_000 }).map(String),
    fc.integer({ min: START - 100_000, max: START + 4_000_000 }).map(String),
  );
  const date = fc.option(fc.date({ noInvalidDate: true }).map((at) => at.toUTCString()));
  const answer = fc.record({
    limit: number,
    remaining: number,
    reset: number,
    date,
    refused: fc.boolean(),
    retryAfterMs: fc.option(fc.oneof(fc.nat({ max: 100_000 }), fc.double({ min: 0 })), { nil: undefined }),
    afterMs: fc.oneof(
      fc.nat({ max: 3_000 }),
      fc.nat({ max: 200_000 }),
      fc.integer({ min: -4_000_000, max: 0 }),
    ),
    inFlight: fc.boolean(),
    noAnswer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 60 }), (answers) => {
      const window = new RateLimits({ fallbackLimit: 30, reserve: () => 3, random: () => 0.5 });
      let now = START;
      const sent: number[] = [];
      const end = (news: RateObservation | undefined): void => {
        const sentAt = sent.shift();
        if (sentAt !== undefined) window.ended(sentAt, now, news);
      };
      for (const {
        limit,
        remaining,
        reset,
        date,
        refused,
        retryAfterMs,
        afterMs,
        inFlight,
        noAnswer,
      } of answers) {
        now += afterMs;
        if (window.state(now).allowance > 0) {
          window.started(now);
          sent.push(now);
        }
        const headers = { ...told(limit, remaining, reset), ...(date !== null && { date }) };
        if (!inFlight)
          end(noAnswer ? undefined : { reading: readRateHeaders(headers), refused, retryAfterMs });
      }
      while (sent.length > 0) end(undefined);
      for (let turns = 0; window.state(now).allowance === 0; turns += 1) {
        const at = window.state(now).opening?.at ?? Number.NaN;
        expect(at).toBeGreaterThan(now);
        expect(at).toBeLessThanOrEqual(now + 3_602_000);
        expect(turns).toBeLessThan(5);
        now = at;
      }
      expect(Number.isInteger(window.state(now).allowance)).toBe(true);
    }),
    { numRuns: manyRuns(1_000) },
  );
});
