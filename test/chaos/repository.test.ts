/** The real `plancast publish`, killed, twice at once, and with a remote that rejects pushes: each post is out once. */
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { LONG_MS, perEffort, sample } from "./effort.ts";
import { startRepositoryChaos } from "./repository-world.ts";

/** One of this many steps. */
const ONE_IN = { quick: 97, long: 7 };

test(
  "publish killed at any step, then started again later, publishes each post once, and on a webhook at most once",
  { timeout: LONG_MS },
  async () => {
    const counting = await startRepositoryChaos(2);
    const running = await counting.publish();
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining("Published")]);
    const steps = Number(await running.step());
    expect(counting.faults()).toEqual([]);
    expect(steps).toBeGreaterThan(100);
    const limit = pLimit(2);
    const all = Array.from({ length: steps }, (_, index) => index + 1);
    const moments = new Set<string>();
    const failures = await Promise.all(
      sample(all, ONE_IN).map((step) =>
        limit(async () => {
          const world = await startRepositoryChaos(2);
          const killed = await world.publish(step);
          await killed.ended;
          moments.add(await killed.step());
          await world.finish();
          return world.faults().map((fault) => `step ${step}: ${fault}`);
        }),
      ),
    );
    expect(failures.flat()).toEqual([]);
    expect(moments.size).toBeGreaterThan(perEffort({ quick: 1, long: 5, full: 8 }));
  },
);
