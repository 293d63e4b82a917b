/** Random mixtures of edits, faults, kills and lost files: none breaks the promise. Seeds reproduce. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LONG_MS, perEffort, SEED } from "./effort.ts";
import { Figures } from "./figures.ts";
import { mixtures } from "./random-mixture.ts";
import { runMixture } from "./run-mixture.ts";

const RUNS = Number(process.env["CHAOS_RUNS"] ?? perEffort({ quick: 5, long: 60, full: 500 }));
const PATH = process.env["CHAOS_PATH"];
/** Shrinking a failure to a smaller example takes many more runs. */
const SHRINK = process.env["CHAOS_SHRINK"] === "1";
const TELL_EVERY = 100;

test(
  "any mixture of edits, faults, kills and lost files schedules each row once",
  { timeout: LONG_MS },
  async () => {
    const figures = new Figures(
      "runs",
      "commands",
      "requests",
      "faults",
      "kills",
      "stops",
      "files lost",
      "vanished",
      "guard stops",
    );
    let runs = 0;
    const property = fc.asyncProperty(mixtures, async (mixture) => {
      runs += 1;
      figures.count("runs");
      await runMixture(mixture, figures);
      if (runs % TELL_EVERY === 0) figures.print(`random, seed ${SEED}, so far`);
    });
    const path = PATH === undefined ? {} : { path: PATH };
    const result = await fc.check(property, {
      numRuns: PATH === undefined ? RUNS : 1,
      seed: SEED,
      endOnFailure: !SHRINK,
      ...path,
    });
    figures.print(`random, seed ${SEED}`);
    if (!result.failed) return;
    const again = `npm run chaos -- --runs ${RUNS} --seed ${result.seed} --path ${result.counterexamplePath}`;
    const [mixture] = result.counterexample ?? [];
    const why = result.errorInstance instanceof Error ? result.errorInstance.message : "";
    process.stdout.write(`A mixture broke the promise. To see it again: ${again}\n`);
    expect.fail(`${again}\n${why}\n${JSON.stringify(mixture)}`);
  },
);
