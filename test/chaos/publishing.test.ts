/** The real `plancast serve`, killed while it publishes: each post is on each network once. */
import pLimit from "p-limit";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { AT_ONCE, LONG_MS, perEffort, sample } from "./effort.ts";
import { MASTODON_TOKEN, startMastodon } from "../support/networks/mastodon.ts";
import { until } from "../support/until.ts";
import { startPublishing, startPublishingOn } from "./publishing-world.ts";

/** One of this many steps. */
const ONE_IN = { quick: 197, long: 11 };

test(
  "serve killed at any step, then started again, publishes each post once, and on a webhook at most once",
  { timeout: LONG_MS },
  async () => {
    const counting = await startPublishing(2);
    const steps = await stepsOf(counting);
    expect(counting.faults()).toEqual([]);
    expect(steps).toBeGreaterThan(100);
    const limit = pLimit(AT_ONCE);
    const all = Array.from({ length: steps + 6 }, (_, index) => index + 1);
    const moments = new Set<string>();
    const failures = await Promise.all(
      sample(all, ONE_IN).map((step) =>
        limit(async () => {
          const world = await startPublishing(2, true);
          const running = await world.serve(step);
          const isDone = (): boolean => world.received.length === 2 && world.mastodon.statuses.length === 2;
          // A later step belongs to the end of the process, not to publishing.
          while (running.child.exitCode === null && running.child.signalCode === null) {
            if (isDone()) running.kill("SIGTERM");
            await wait(20);
          }
          moments.add(await running.step());
          await world.finish();
          return world.faults().map((fault) => `step ${step}: ${fault}`);
        }),
      ),
    );
    expect(failures.flat()).toEqual([]);
    expect(moments.size).toBeGreaterThan(perEffort({ quick: 1, long: 6, full: 8 }));
  },
);

async function stepsOf(world: Awaited<ReturnType<typeof startPublishing>>): Promise<number> {
  const running = await world.serve();
  while (world.received.length < 2 || world.mastodon.statuses.length < 2) await wait(20);
  // Both networks have the posts before plancast records the results. Stopping waits for the records.
  running.kill("SIGTERM");
  await running.ended;
  return Number(await running.step());
}

test("SIGTERM ends serve cleanly, also right after a large answer", async () => {
  // Pages of posts, which plancast reads after a lost answer, are as large.
  const mastodon = await startMastodon({ types: Array.from({ length: 5_000 }, () => "image/of-some-type") });
  const project = await startPublishingOn({
    posts: 1,
    accounts: { masto: { network: "mastodon", server: mastodon.origin, token_env: "MASTO" } },
    env: { MASTO: MASTODON_TOKEN, PLANCAST_TRUSTED_ORIGINS: `${mastodon.origin}=MASTO` },
  });
  const running = await project.serve();
  await until(() => mastodon.statuses.length === 1);
  running.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, signal: null });
});
