/** Several rolling windows at once, as Buffer has them: 100 requests in 15 minutes, 250 a day, 3,000 in 30 days. */

import { describe, expect, test } from "vitest";
import { type RateObservation, readRateHeaders } from "../../../src/service/rate/rate-headers.ts";
import { seeded } from "../../support/rate/random.ts";
import { simulate } from "../../support/rate/simulate.ts";

const START = Date.parse("2030-01-01T12:00:10Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Policy {
  readonly name: string;
  readonly quota: number;
  readonly windowMs: number;
}

const BUFFER: readonly Policy[] = [
  { name: "burst", quota: 100, windowMs: 15 * MINUTE_MS },
  { name: "day", quota: 250, windowMs: DAY_MS },
  { name: "month", quota: 3_000, windowMs: 30 * DAY_MS },
];

/** Counts the requests of the last `windowMs` for each policy, and says when the oldest of them leaves. */
function stacked(policies: readonly Policy[]) {
  const accepted: number[] = [];
  const seen = { refused: 0 };
  const answer = (now: number): RateObservation => {
    const inWindow = ({ windowMs }: Policy): number[] => accepted.filter((at) => at > now - windowMs);
    const refused = policies.some((policy) => inWindow(policy).length >= policy.quota);
    if (refused) seen.refused += 1;
    else accepted.push(now);
    const states = policies.map((policy) => {
      const counted = inWindow(policy);
      const seconds = Math.ceil(((counted[0] ?? now) + policy.windowMs - now) / 1_000);
      return `"${policy.name}";r=${policy.quota - counted.length};t=${seconds}`;
    });
    const headers = {
      ratelimit: states.join(", "),
      "ratelimit-policy": policies.map(
        ({ name, quota, windowMs }) => `"${name}";q=${quota};w=${windowMs / 1_000}`,
      ),
    };
    return { reading: readRateHeaders(headers), refused, retryAfterMs: undefined };
  };
  return { answer, seen };
}

describe.each([3, 40, 400])("with answers after %i ms", (latencyMs) => {
  const run = (requests: number, policies: readonly Policy[]) => {
    const random = seeded(latencyMs);
    const service = stacked(policies);
    const [simulated] = simulate({
      answer: service.answer,
      clients: [requests],
      startAt: START,
      latency: () => latencyMs * (0.5 + random()),
      mostMs: 3 * DAY_MS,
    });
    return { refused: service.seen.refused, tookMs: simulated?.tookMs ?? Infinity };
  };

  test("a day's requests need as many quarters of an hour as they fill, and none is refused", () => {
    const { refused, tookMs } = run(250, BUFFER);
    expect(refused).toBe(0);
    expect(tookMs / (30 * MINUTE_MS)).toBeLessThan(1.02);
  });

  test("the tightest window decides, in whatever order the service names them", () => {
    const { refused, tookMs } = run(290, BUFFER.toReversed());
    expect(refused).toBe(0);
    expect(tookMs / DAY_MS).toBeLessThan(1.02);
    expect(tookMs).toBeGreaterThan(DAY_MS);
  });
});
