/** Random histories of a team: never two versions of a row, never a post that somebody removed. Seeds reproduce. */
import * as fc from "fast-check";
import { test } from "vitest";
import { LONG_MS, SEED, perEffort } from "./effort.ts";
import { TeamWorld } from "./team-world.ts";

const RUNS = Number(process.env["CHAOS_RUNS"] ?? perEffort({ quick: 3, long: 50, full: 1_000 }));
const NAMES = ["a", "b", "c", "d"];

type Step = typeof withHolds extends fc.Arbitrary<infer Given> ? Given : never;

const person = fc.nat(1);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      person,
      row: fc.nat(3),
      what: fc.constantFrom("text" as const, "time" as const, "both" as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("apply" as const),
      person,
      only: fc.constantFrom([], ["--only", "team=1"], ["--only", "date=2036-03-01..2036-03-30"]),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("push" as const, "pull" as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), row: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), person, row: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("revert" as const),
      person,
      back: fc.nat(2),
      withLockfile: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("job" as const), back: fc.nat(4) }) },
);

const withHolds = fc.oneof(
  { weight: 20, arbitrary: step },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("hold" as const),
      person,
      what: fc.constantFrom("all" as const, "team" as const, "days" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("release" as const), person, hold: fc.nat(3) }) },
);

async function take(world: TeamWorld, given: Step): Promise<void> {
  switch (given.do) {
    case "edit":
      return world.edit(given.person, given.row, given.what);
    case "apply":
      return void (await world.apply(given.person, ...given.only));
    case "push":
      return world.push(given.person);
    case "pull":
      return world.pull(given.person);
    case "cancel":
      return world.cancelByHand(given.row);
    case "remove":
      return world.remove(given.person, given.row);
    case "revert":
      return world.revert(given.person, given.back, given.withLockfile);
    case "job":
      return world.job(given.back);
    case "hold":
      return world.hold(given.person, given.what);
    case "release":
      return world.release(given.person, given.hold);
    default:
      return given satisfies never;
  }
}

test.each([
  ["two versions of a row, or a post that somebody removed (with ids)", true, step],
  ["two versions of a row, or a post that somebody removed (without ids)", false, step],
  ["a held post, and each released one is there once (with ids)", true, withHolds],
  ["a held post, and each released one is there once (without ids)", false, withHolds],
])("no history of two people schedules %s", { timeout: LONG_MS }, async (_name, hasIds, steps) => {
  await fc.assert(
    fc.asyncProperty(fc.array<Step>(steps, { minLength: 6, maxLength: 14 }), async (taken) => {
      const world = await TeamWorld.start(hasIds, NAMES);
      try {
        for (const each of taken) await take(world, each);
        await world.converge();
      } finally {
        await world.close();
      }
    }),
    {
      numRuns: RUNS,
      seed: SEED,
      endOnFailure: process.env["CHAOS_SHRINK"] !== "1",
    },
  );
});
