/** Random histories of a team: never two versions of a row, never a post that somebody removed. Seeds reproduce. */
import * as fc from "fast-check";
import { test } from "vitest";
import { LONG_MS, SEED, perEffort } from "./effort.ts";
import { TeamWorld } from "./team-world.ts";

const RUNS = Number(process.env["CHAOS_RUNS"] ?? perEffort({ quick: 3, long: 100, full: 1_000 }));
const NAMES = ["a", "b", "c", "d"];

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

async function take(
  world: TeamWorld,
  given: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
): Promise<void> {
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
    default:
      return given satisfies never;
  }
}

test.each([true, false])(
  "no history of two people schedules two versions of a row, or a post that somebody removed (ids: %s)",
  { timeout: LONG_MS },
  async (hasIds) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const world = await TeamWorld.start(hasIds, NAMES);
        try {
          for (const each of steps) await take(world, each);
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
  },
);
