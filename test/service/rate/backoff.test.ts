import { expect, test } from "vitest";
import { Backoff, MAX_WAIT_MS } from "../../../src/service/rate/rate-window.ts";

function away(refusals: readonly (number | undefined)[], tellsReset = false): number {
  const stay = new Backoff(() => 0.5);
  let now = 0;
  for (const retryAfterMs of refusals) {
    now = Math.max(now, stay.until);
    stay.refused({ sentAt: now, receivedAt: now, retryAfterMs, tellsReset });
  }
  return stay.until - now;
}

test("obeys the time that the service gives", () => {
  expect(away([7_000])).toBe(7_000);
  expect(away([0])).toBe(0);
});

test("waits longer after each refusal without a time, up to half a minute", () => {
  expect([1, 2, 3, 20].map((times) => away(Array.from({ length: times }, () => undefined)))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
});

test("waits longer each time for a service that keeps refusing with no wait", () => {
  expect(away([0, 0])).toBe(500);
  expect(away([0, 0, 0, 0])).toBe(2_000);
  expect(away([undefined, undefined, undefined], true)).toBe(1_000);
});

test("counts refusals of requests sent together as one", () => {
  const stay = new Backoff(() => 0.5);
  for (const receivedAt of [10, 11, 12, 13]) {
    stay.refused({ sentAt: 0, receivedAt, retryAfterMs: undefined, tellsReset: false });
  }
  expect(stay.until).toBe(513);
});

test("starts over after an accepted request that was sent after the refusal", () => {
  const stay = new Backoff(() => 0.5);
  stay.refused({ sentAt: 0, receivedAt: 0, retryAfterMs: undefined, tellsReset: false });
  stay.accepted(-5);
  stay.refused({ sentAt: 600, receivedAt: 600, retryAfterMs: undefined, tellsReset: false });
  expect(stay.until).toBe(1_600);
  stay.accepted(2_000);
  stay.refused({ sentAt: 3_000, receivedAt: 3_000, retryAfterMs: undefined, tellsReset: false });
  expect(stay.until).toBe(3_500);
});

test("does not wait for times above the maximum", () => {
  expect(away([MAX_WAIT_MS + 1])).toBe(500);
});
