/** Many posts, published by processes that are killed at random: each post is on each network once. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { failAtRandom } from "../support/networks/accounts.ts";
import { LONG_MS, SEED, randomBelow } from "./effort.ts";
import { startPublishing } from "./publishing-world.ts";
import { startRepositoryChaos } from "./repository-world.ts";

const POSTS = 500;

test(
  "serve publishes many posts, with kills at random and lost answers, and each is published once",
  { timeout: LONG_MS },
  async () => {
    const world = await startPublishing(POSTS);
    const next = randomBelow(SEED);
    failAtRandom(world, next);
    for (let kill = 0; kill < 20; kill += 1) {
      const running = await world.serve();
      await running.waitFor('"accounts"');
      const wanted = world.mastodon.requests.length + 1 + next(Math.ceil(POSTS / 4));
      // A server that answers nothing more would hold up the test.
      for (let polls = 0; world.mastodon.requests.length < wanted && polls < 400; polls += 1) await wait(5);
      running.kill("SIGKILL");
      await running.ended;
    }
    await world.finish();
    expect(world.faults()).toEqual([]);
  },
);

test(
  "publish sends many posts, with two runs at once, kills at random, lost answers and rejected pushes, and each is published once",
  { timeout: LONG_MS },
  async () => {
    const world = await startRepositoryChaos(POSTS);
    const next = randomBelow(SEED);
    failAtRandom(world, next);
    // One push in four is rejected, and the answer to another one in four gets lost.
    const inFour = "[ $(($(od -An -N1 -tu1 /dev/urandom) % 4)) -eq 0 ]";
    await world.onPush("pre-receive", `if ${inFour}; then exit 1; fi; exit 0`);
    await world.onPush("post-receive", `if ${inFour}; then kill -9 $PPID; fi; exit 0`);
    for (let kill = 0; kill < 15; kill += 1) {
      const both = [await world.publish(), await world.publish()];
      const wanted = world.mastodon.requests.length + 1 + next(Math.ceil(POSTS / 4));
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
