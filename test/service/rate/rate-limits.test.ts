/** The rate window as one table: requests and answers, the resulting state, and how many requests may start. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_WAIT_MS } from "../../../src/service/rate/backoff.ts";
import {
  type RateObservation,
  type WindowReading,
  readRateHeaders,
} from "../../../src/service/rate/rate-headers.ts";
import { type RateState, type RateRules, RateLimits } from "../../../src/service/rate/rate-limits.ts";

/** All times in this file are ms after this one. */
const START = Date.parse("2030-01-01T12:00:07.300Z");

/** If the reset is a time of day, plancast treats the window as over this much later, because two clocks may differ. */
const LATE = 25;

function makeWindow(options: Partial<RateRules> = {}): RateLimits {
  return new RateLimits({ fallbackLimit: 30, reserve: () => 0, random: () => 0.5, ...options });
}

/** An answer with this many requests left until the reset `inMs` after the start. */
function answer(remaining: number, inMs: number, more: Partial<WindowReading> = {}): RateObservation {
  const reset = { unit: "epoch-ms", ms: START + inMs, isCoarse: false } as const;
  const windows = [{ name: "", limit: undefined, remaining, reset, ...more }];
  return { reading: { windows, date: undefined }, refused: false, retryAfterMs: undefined };
}

function refusal(retryAfterMs?: number, remaining = 0, inMs = 60_000): RateObservation {
  return { ...answer(remaining, inMs), refused: true, retryAfterMs };
}

/** An answer with `RateLimit`, under a policy of 100 requests in 15 minutes and 250 a day. */
function structured(ratelimit: string): RateObservation {
  const policy = '"burst";q=100;w=900, "day";q=250;w=86400';
  const reading = readRateHeaders({ ratelimit, "ratelimit-policy": policy });
  return { reading, refused: false, retryAfterMs: undefined };
}

const NO_HEADERS: RateObservation = {
  reading: { windows: [], date: undefined },
  refused: false,
  retryAfterMs: undefined,
};
const BARE_REFUSAL = { ...NO_HEADERS, refused: true };

type Step = (window: RateLimits) => void;

function starts(...times: readonly number[]): Step {
  return (window) => times.forEach((at) => window.started(START + at));
}

/** Without an observation the request ends without an answer. */
function ends(sentAt: number, at: number, observation?: RateObservation): Step {
  return (window) => window.ended(START + sentAt, START + at, observation);
}

/** A request that is answered immediately. */
function sends(at: number, observation?: RateObservation): Step {
  return (window) => [starts(at), ends(at, at, observation)].forEach((step) => step(window));
}

/** At a time: the phase, how many may start, when the phase ends and why. */
type Expected = readonly [
  at: number,
  phase: RateState["phase"],
  mayStart: number,
  until?: number,
  why?: "told" | "refused" | "limit",
];

interface Row {
  readonly steps: readonly Step[];
  readonly expected: readonly Expected[];
  readonly options?: Partial<RateRules>;
}

const TABLE: Readonly<Record<string, Row>> = {
  "nothing was sent": { steps: [], expected: [[0, "unknown", 1]] },
  "the probe is in flight": { steps: [starts(0)], expected: [[5, "unknown", 0]] },
  "the probe ended without an answer": { steps: [sends(0)], expected: [[1, "unknown", 1]] },
  "the probe's answer leaves five for a second": {
    steps: [starts(0), ends(0, 10, answer(5, 1_000))],
    expected: [
      [10, "open", 5, 1_000 + LATE],
      [999, "open", 5, 1_000 + LATE],
      [1_100, "unknown", 1],
    ],
  },
  "two of three are in flight": {
    steps: [sends(0, answer(3, 60_000)), starts(0, 0)],
    expected: [[2, "open", 1]],
  },
  "the first count comes while two of ours are in flight, which it may not include": {
    steps: [starts(0, 0, 0), ends(0, 10, answer(9, 60_000))],
    expected: [[11, "open", 7]],
  },
  "answers come in a different order than they were given": {
    steps: [
      sends(0, answer(3, 60_000)),
      starts(0, 0),
      ends(1, 3, answer(1, 60_000)),
      ends(1, 4, answer(2, 60_000)),
    ],
    expected: [[5, "open", 1]],
  },
  "one of three ended without an answer": {
    steps: [sends(0, answer(3, 60_000)), sends(1)],
    expected: [[2, "open", 2]],
  },
  "an answer of the last window comes after one of this": {
    steps: [starts(0, 0), ends(0, 70_000, answer(9, 120_000)), ends(0, 70_001, answer(0, 60_000))],
    expected: [[70_002, "open", 9]],
  },
  "none is left": {
    steps: [sends(0, answer(0, 60_000))],
    expected: [
      [1, "closed", 0, 60_000 + LATE, "limit"],
      [60_000 + LATE, "unknown", 1],
    ],
  },
  "the local clock was set back by an hour": {
    steps: [sends(0, answer(0, 60_000)), (window) => window.state(START + 1)],
    expected: [[-3_600_000, "unknown", 1]],
  },
  "a fifth of 30 is reserved": {
    steps: [sends(0, answer(29, 60_000, { limit: 30 }))],
    options: { reserve: (limit) => limit / 5 },
    expected: [[1, "open", 23]],
  },
  "the first answer has no reset, the next one has": {
    steps: [sends(0, answer(2, 0, { reset: undefined })), sends(1, answer(1, 10_000))],
    expected: [[2, "open", 1, 10_000 + LATE]],
  },
  "two of three a minute are sent where there are no headers": {
    steps: [sends(0, NO_HEADERS), sends(1, NO_HEADERS)],
    options: { fallbackLimit: 3 },
    expected: [[2, "open", 1, 60_000]],
  },
  "three of three a minute are sent where there are no headers": {
    steps: [sends(0, NO_HEADERS), sends(1, NO_HEADERS), sends(2, NO_HEADERS)],
    options: { fallbackLimit: 3 },
    expected: [
      [3, "closed", 0, 60_000, "limit"],
      [60_000, "unknown", 1],
    ],
  },
  "a window is reported after one was guessed": {
    steps: [sends(0, NO_HEADERS), sends(1, answer(7, 900_000))],
    options: { fallbackLimit: 600, fallbackWindowMs: 3_600_000 },
    expected: [[2, "open", 7, 900_000 + LATE]],
  },
  "an answer without headers comes between two with headers": {
    steps: [sends(0, answer(7, 60_000)), sends(1, NO_HEADERS), sends(2, answer(5, 60_000))],
    expected: [[3, "open", 5, 60_000 + LATE]],
  },
  "an answer without headers comes after a reported window": {
    steps: [sends(0, answer(7, 60_000, { limit: 8 })), sends(61_000, NO_HEADERS)],
    expected: [[61_001, "open", 7, 121_000]],
  },
  "a used up day closes until it ends, although the shorter window is open": {
    steps: [sends(0, structured('"burst";r=60;t=800, "day";r=0;t=70000'))],
    expected: [[1, "closed", 0, 70_001_000, "limit"]],
  },
  "a shorter window that an answer no longer names does not hold requests back": {
    steps: [
      sends(0, structured('"burst";r=60;t=800, "day";r=200;t=70000')),
      sends(900_000, structured('"day";r=199;t=69100')),
    ],
    expected: [[900_001, "open", 199]],
  },
  "the shorter window is over, and the day is not": {
    steps: [sends(0, structured('"burst";r=60;t=800, "day";r=200;t=70000'))],
    expected: [[900_000, "unknown", 1]],
  },
  "a refusal says when to come again": {
    steps: [sends(0, answer(9, 60_000)), sends(1, refusal(5_000))],
    expected: [
      [2, "closed", 0, 5_001, "told"],
      [5_001, "unknown", 1],
    ],
  },
  "an answer to an earlier request comes after that refusal": {
    steps: [sends(0, answer(9, 60_000)), starts(1), sends(1, refusal(5_000)), ends(1, 10, answer(8, 60_000))],
    expected: [[11, "closed", 0, 5_001, "told"]],
  },
  "a refusal says to come again immediately": {
    steps: [sends(0, refusal(0, 5))],
    expected: [[0, "unknown", 1]],
  },
  "a refusal says to come again after the window": {
    steps: [sends(0, refusal(120_000))],
    expected: [
      [70_000, "closed", 0, 120_000, "told"],
      [120_000, "unknown", 1],
    ],
  },
  "a refusal asks for more than the longest wait": {
    steps: [sends(0, refusal(MAX_WAIT_MS + 1, 5))],
    expected: [[1, "closed", 0, 500, "refused"]],
  },
  "a refusal has only a reset": {
    steps: [sends(0, refusal(undefined, 0, 8_000))],
    expected: [[1, "closed", 0, 8_000 + LATE, "limit"]],
  },
  "a refusal has a reset but no count": {
    steps: [sends(0, { ...answer(0, 60_000, { remaining: undefined }), refused: true })],
    expected: [
      [59_999, "closed", 0, 60_000 + LATE, "limit"],
      [60_000 + LATE, "unknown", 1],
    ],
  },
  "a refusal leaves some": {
    steps: [sends(0, refusal(undefined, 5))],
    expected: [[1, "closed", 0, 500, "refused"]],
  },
  "an accepted request is answered with a time to come again": {
    steps: [sends(0, { ...answer(9, 60_000), retryAfterMs: 4_000 })],
    expected: [
      [1, "closed", 0, 4_000, "told"],
      [4_000, "unknown", 1],
    ],
  },
  "requests that were sent together are refused": {
    steps: [starts(0, 0, 0), ...[10, 11, 12].map((at) => ends(0, at, BARE_REFUSAL))],
    expected: [[13, "closed", 0, 512, "refused"]],
  },
  "the next request is refused, too": {
    steps: [sends(0, BARE_REFUSAL), sends(600, BARE_REFUSAL)],
    expected: [[601, "closed", 0, 1_600, "refused"]],
  },
  "the next requests are refused with no wait": {
    steps: [0, 1, 500, 1_500].map((at) => sends(at, refusal(0, 5))),
    expected: [[1_501, "closed", 0, 3_500, "refused"]],
  },
  "the twentieth request in a row is refused": {
    steps: Array.from({ length: 20 }, (_, index) => sends(index * 40_000, BARE_REFUSAL)),
    expected: [[760_001, "closed", 0, 790_000, "refused"]],
  },
  "a request is accepted between two refusals": {
    steps: [sends(0, BARE_REFUSAL), sends(2_000, NO_HEADERS), sends(3_000, BARE_REFUSAL)],
    expected: [[3_001, "closed", 0, 3_500, "refused"]],
  },
  "an earlier request is accepted after a refusal": {
    steps: [starts(0), sends(5, BARE_REFUSAL), ends(0, 10, NO_HEADERS), sends(600, BARE_REFUSAL)],
    expected: [[601, "closed", 0, 1_600, "refused"]],
  },
};

test.each(Object.entries(TABLE))("%s", (_what, { steps, expected, options }) => {
  const window = makeWindow(options);
  for (const step of steps) step(window);
  for (const [at, phase, mayStart, until, why] of expected) {
    const state = window.state(START + at);
    expect([at, state.phase, state.allowance]).toEqual([at, phase, mayStart]);
    if (until !== undefined) expect(state.opening).toMatchObject({ at: START + until });
    if (phase === "closed") expect(state).toMatchObject({ left: 0, opening: { why } });
  }
});

test("the pace leaves out the reserve, both in the current window and in the next one", () => {
  const window = makeWindow({ fallbackLimit: 30, reserve: () => 5 });
  expect(window.pace(START)).toEqual([{ free: 25, opensInMs: 60_000, perWindow: 25, windowMs: 60_000 }]);
  sends(0, answer(119, 10_000, { limit: 120 }))(window);
  expect(window.pace(START + 1_000)).toMatchObject([{ free: 114, perWindow: 115, windowMs: 10_000 }]);
  sends(1, refusal(4_000))(window);
  expect(window.pace(START + 1)).toMatchObject([{ free: 0, opensInMs: 4_000 }]);
  const usedUp = makeWindow();
  sends(0, answer(0, 10_000))(usedUp);
  expect(usedUp.pace(START + 1)).toMatchObject([{ free: 0 }]);
  const several = makeWindow();
  sends(0, structured('"burst";r=60;t=800, "day";r=0;t=70000'))(several);
  expect(several.pace(START + 1)).toMatchObject([{ free: 60 }, { free: 0 }]);
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
        const inFlight: { sentAt: number; observation: RateObservation }[] = [];
        let server = { resetAt: 0, used: 0 };
        let at = 0;
        for (const { answer: isAnswer, wait, pick } of steps) {
          at += wait;
          if (isAnswer && inFlight.length > 0) {
            const [done] = inFlight.splice(pick % inFlight.length, 1);
            if (done !== undefined) window.ended(done.sentAt, START + at, done.observation);
          } else if (window.state(START + at).allowance > 0) {
            window.started(START + at);
            if (at >= server.resetAt) server = { resetAt: at + 10_000, used: 0 };
            server.used += 1;
            expect(server.used).toBeLessThanOrEqual(limit);
            inFlight.push({ sentAt: START + at, observation: answer(limit - server.used, server.resetAt) });
          }
        }
      },
    ),
  );
});
