/** Kills the real program before, during and after each write to the disk and to the service, one run per step. */
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { AT_ONCE, LONG_MS, perEffort, sample } from "./effort.ts";
import { Figures } from "./figures.ts";
import { checkNone } from "./invariants.ts";
import { startStandardScenario } from "./standard-scenario.ts";

/** One of this many steps. Steps of one kind are neighbours, and primes have no common factor with their number. */
const ONE_IN = { quick: 73, long: 5 };
/** Steps differ a little from run to run, as requests overtake each other. */
const MORE_STEPS = 6;

test(
  "an apply killed at any step, then repeated, schedules each row once",
  { timeout: LONG_MS },
  async () => {
    const figures = new Figures("steps", "kills", "further runs");
    const moments = new Map<string, number>();
    const steps = await countSteps();
    const limit = pLimit(AT_ONCE);
    const all = Array.from({ length: steps + MORE_STEPS }, (_, index) => index + 1);
    const failures = await Promise.all(
      sample(all, ONE_IN).map((step) =>
        limit(async () => {
          const ended = await killAt(step, figures, moments);
          return ended === undefined ? [] : [`step ${step}: ${ended}`];
        }),
      ),
    );
    figures.print("kills");
    process.stdout.write(`  ${[...moments].map(([moment, count]) => `${count} ${moment}`).join(", ")}\n`);
    expect(failures.flat()).toEqual([]);
    expect(steps).toBeGreaterThan(150);
    expect(moments.size).toBeGreaterThan(perEffort({ quick: 2, long: 10, full: 10 }));
  },
);

async function countSteps(): Promise<number> {
  const { world } = await startStandardScenario();
  const { code, report } = await world.applyAndDie(0);
  expect(code).toBe(0);
  await world.close();
  return Number(report);
}

/** Gives what went wrong. */
async function killAt(
  step: number,
  figures: Figures,
  moments: Map<string, number>,
): Promise<string | undefined> {
  const { world, check, checkMeanwhile, checkNothingToDo } = await startStandardScenario();
  let moment = "";
  try {
    const { code, report, stderr } = await world.applyAndDie(step);
    figures.count("steps");
    if (code === null) {
      moment = report;
      figures.count("kills");
      moments.set(report, (moments.get(report) ?? 0) + 1);
    } else if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`);
    await world.service.whenQuiet();
    checkNone(checkMeanwhile(), "meanwhile");
    figures.count("further runs", await world.converge());
    const found = check();
    figures.countViolations(found);
    checkNone(found, "in the end");
    await checkNothingToDo();
    return undefined;
  } catch (error) {
    return `${moment} ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await world.close();
  }
}
