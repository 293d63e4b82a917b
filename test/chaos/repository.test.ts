/** The real `plancast publish`, killed, twice at once, and with a remote that rejects pushes: each post is out once. */
import pLimit from "p-limit";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { failAtRandom } from "../support/networks/accounts.ts";
import { LONG_MS, SEED, perEffort, randomBelow, sample } from "./effort.ts";
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
    expect(moments.size).toBeGreaterThan(perEffort({ quick: 1, long: 8, full: 8 }));
  },
);

test(
  "many posts, with two runs at once, kills at random, lost answers and rejected pushes, are each published once",
  { timeout: LONG_MS },
  async () => {
    const posts = perEffort({ quick: 24, long: 500, full: 500 });
    const world = await startRepositoryChaos(posts);
    const next = randomBelow(SEED);
    failAtRandom(world, next);
    // One push in four is rejected, and the answer to another one in four gets lost.
    const inFour = "[ $(($(od -An -N1 -tu1 /dev/urandom) % 4)) -eq 0 ]";
    await world.onPush("pre-receive", `if ${inFour}; then exit 1; fi; exit 0`);
    await world.onPush("post-receive", `if ${inFour}; then kill -9 $PPID; fi; exit 0`);
    for (let kill = 0; kill < perEffort({ quick: 2, long: 15, full: 30 }); kill += 1) {
      const both = [await world.publish(), await world.publish()];
      const wanted = world.mastodon.requests.length + 1 + next(Math.ceil(posts / 4));
      // A run may have nothing to do, because the other one has claimed everything.
      const isRunning = (): boolean => both.some(({ child }) => child.exitCode === null);
      while (isRunning() && world.mastodon.requests.length < wanted) await wait(5);
      for (const running of both) running.kill("SIGKILL");
      await Promise.all(both.map(({ ended }) => ended));
    }
    await world.finish();
    expect(world.faults()).toEqual([]);
  },
);
