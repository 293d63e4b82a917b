/** Limiters of several processes on one Redis, for as long as windows last and dead processes are waited for. */
import { expect, test, vi } from "vitest";
import type { RateNews } from "../../src/service/rate-headers.ts";
import { useRedis } from "../support/redis-server.ts";
import { ask, askOften, fixedWindow, join, shifted } from "./limiters.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();

/** Of all windows but the last, in which there was not enough left to do. */
function utilisation(windows: readonly number[], perWindow: number): number {
  const full = windows.slice(0, -1);
  return full.reduce((sum, used) => sum + used, 0) / (full.length * perWindow);
}

test.each([2, 5])("%i limiters use the whole limit, and are never refused", async (count) => {
  const redis = await freshRedis();
  const service = fixedWindow(20, 4_000);
  const hours = Array.from({ length: count }, (_, index) => shifted(index * 3_600_000));
  const all = await Promise.all(hours.map((clock) => join(redis, { clock })));
  await Promise.all(all.map((each) => askOften(each, 70 / count, service.request)));
  expect(service.seen.refused).toBe(0);
  expect(service.seen.windows.reduce((sum, used) => sum + used, 0)).toBe(70);
  expect(utilisation(service.seen.windows, 20)).toBeGreaterThanOrEqual(0.95);
});

test("limiters go on after one of them died with the only request in flight", async () => {
  const redis = await freshRedis();
  const [one, two] = [await join(redis), await join(redis)];
  let isSent = false;
  void ask(one, () => {
    isSent = true;
    return new Promise<RateNews>(() => undefined);
  });
  await vi.waitFor(() => expect(isSent).toBe(true));
  one.die();
  const service = fixedWindow(5, 60_000);
  await askOften(two, 3, service.request);
  expect(service.seen).toEqual({ refused: 0, windows: [3] });
});
