/** Limiters of several processes on one Redis, with real windows and real waits for dead processes. */

import { expect, test, vi } from "vitest";
import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { useRedis } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";
import { ask, askOften, fixedWindow, join, shifted } from "./limiters.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();

test("five limiters need almost no more windows than one limiter, and are never refused", async () => {
  const redis = await freshRedis();
  const service = fixedWindow(20, 8_000);
  const hours = [0, 1, 2, 3, 4].map((hour) => shifted(hour * 3_600_000));
  const all = await Promise.all(hours.map((clock) => join(redis, { clock })));
  await Promise.all(all.map((each) => askOften(each, 14, service.request)));
  expect(service.seen.refused).toBe(0);
  expect(service.seen.windows.reduce((sum, used) => sum + used, 0)).toBe(70);
  // Four windows are enough. A busy machine may send only half of what fits into one.
  expect(service.seen.windows.length).toBeLessThanOrEqual(8);
});

test("limiters continue after one of them died with the only request in flight", async () => {
  const redis = await freshRedis();
  const [one, two] = [await join(redis), await join(redis)];
  let isSent = false;
  void ask(one, () => {
    isSent = true;
    return new Promise<RateObservation>(() => undefined);
  });
  await until(() => isSent);
  one.die();
  const service = fixedWindow(5, 60_000);
  await askOften(two, 3, service.request);
  expect(service.seen).toEqual({ refused: 0, windows: [3] });
});
