/** State that is lost when a CI runner dies or a push is rejected: unchanged rows still never get a second post. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { SHAPES } from "../support/foreign/shapes.ts";
import { checkNone } from "./invariants.ts";
import type { ChaosWorld } from "./chaos-world.ts";
import { LONG_MS, perEffort, sample } from "./effort.ts";
import { startStandardScenario } from "./standard-scenario.ts";

const LOCKFILE = "plancast.lock.json";
const STATE = ".plancast";

/** What is on disk after the loss; `before` is the lockfile of the apply before the last. */
const LOSSES: readonly [string, (world: ChaosWorld, before: string) => Promise<void>][] = [
  ["the journal", (world) => lose(world, STATE)],
  ["the lockfile", (world) => lose(world, LOCKFILE)],
  ["both", (world) => lose(world, STATE, LOCKFILE)],
  [
    "the journal, and the lockfile is older",
    (world, before) => lose(world, STATE).then(() => goBack(world, before)),
  ],
  ["the lockfile is older", (world, before) => goBack(world, before)],
];

async function lose({ project }: ChaosWorld, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    if (existsSync(`${project.root}/${path}`)) await project.remove(path);
  }
}

async function goBack({ project }: ChaosWorld, lockfile: string): Promise<void> {
  await project.write(LOCKFILE, lockfile);
}

test.each(perEffort({ quick: LOSSES.slice(1, 3), long: LOSSES, full: LOSSES }))(
  "a project that lost %s after an apply keeps one post per row",
  { timeout: LONG_MS },
  async (_what, loss) => {
    for (const shape of sample(Object.values(SHAPES), { quick: 15, long: 3 })) {
      const { world, check, checkNothingToDo } = await startStandardScenario({ service: { shape } });
      const before = await world.project.read(LOCKFILE);
      await world.converge();
      const creates = world.service.counters.creates;
      await loss(world, before);
      await world.converge();
      checkNone(check(), "after the loss");
      expect(world.service.counters.creates).toBe(creates);
      await checkNothingToDo();
      await world.close();
    }
  },
);

/** With the lockfile of the interrupted run, everything is right: the journal is not needed. */
const KILLED_AT = [60, 110, 150, 170, 190, 210, 230];

test.each(sample(KILLED_AT, { quick: 7, long: 2 }))(
  "an apply killed at step %i needs only the lockfile to finish",
  async (step) => {
    const { world, check, checkNothingToDo } = await startStandardScenario();
    const { code } = await world.applyAndDie(step);
    expect(code).toBeNull();
    await world.service.whenQuiet();
    await lose(world, STATE);
    await world.converge();
    checkNone(check(), "after the loss");
    await checkNothingToDo();
  },
);

/** Rows that did not change during the interrupted run. The old posts of changed rows have no owner then. */
test.each(sample(KILLED_AT, { quick: 7, long: 2 }))(
  "an apply killed at step %i that lost journal and lockfile creates no second post",
  async (step) => {
    const { world, checkMeanwhile } = await startStandardScenario();
    await world.applyAndDie(step);
    await world.service.whenQuiet();
    await lose(world, STATE, LOCKFILE);
    await world.converge();
    checkNone(checkMeanwhile(), "after the loss");
    expect(exactCopies(world)).toEqual([]);
  },
);

/** Posts with the same content. */
function exactCopies({ service }: ChaosWorld): string[] {
  const said = service
    .scheduled()
    .map((post) => JSON.stringify([post.content, post.platforms, post.scheduled_at, post.media_ids]));
  return said.filter((text, index) => said.indexOf(text) !== index);
}
