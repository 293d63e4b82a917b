/** Causes every fault at every request of a run with all kinds of changes, then applies until it ends with 0. */
import pLimit from "p-limit";
import { describe, expect, test } from "vitest";
import type { Fault } from "../support/foreign/faults.ts";
import type { ForeignOptions } from "../support/foreign-service.ts";
import { SHAPES } from "../support/foreign/shapes.ts";
import { ALL_FAULTS } from "./all-faults.ts";
import { AT_ONCE, LONG_MS, sample } from "./effort.ts";
import { Figures } from "./figures.ts";
import { checkNone } from "./invariants.ts";
import { startStandardScenario } from "./standard-scenario.ts";

/** Services whose answers leave different things unclear. */
const SERVICES: readonly [string, ForeignOptions][] = [
  ["documented", {}],
  ["bare arrays", { shape: SHAPES["bare arrays"] }],
  ["numbers and capitals", { shape: SHAPES["numbers and capitals"] }],
  ["pages of three, late", { paging: "next-cursor", pageSize: 3, listLagMs: 5_000 }],
];

/** One fault per this many requests; primes, so that every fault meets every request. */
const ONE_IN = { quick: 503, long: 13 };

describe.each(SERVICES)("%s", (name, options) => {
  test("schedules each row once after any fault at any request", { timeout: LONG_MS }, async () => {
    const figures = new Figures("faults", "struck", "further runs");
    const requests = await countRequests(options);
    const limit = pLimit(AT_ONCE);
    const all = Array.from({ length: requests }, (_, index) => index + 1).flatMap((position) =>
      ALL_FAULTS.map((fault) => ({ fault, position })),
    );
    const failures = await Promise.all(
      sample(all, ONE_IN).map(({ fault, position }) =>
        limit(async () => {
          const ended = await faultAt(position, fault, options, figures);
          const what = `${JSON.stringify(fault)} at request ${position}`;
          return ended === undefined ? [] : [`${what}: ${ended}`];
        }),
      ),
    );
    figures.print(`faults, ${name}`);
    expect(failures.flat()).toEqual([]);
  });
});

async function countRequests(service: ForeignOptions): Promise<number> {
  const { world } = await startStandardScenario({ service });
  world.clock.advance(60_000);
  const before = world.service.requests.length;
  const { code } = await world.apply();
  expect(code).toBe(0);
  await world.close();
  return world.service.requests.length - before;
}

/** Gives what went wrong. */
async function faultAt(
  position: number,
  fault: Fault,
  service: ForeignOptions,
  figures: Figures,
): Promise<string | undefined> {
  const { world, check, checkMeanwhile, checkNothingToDo } = await startStandardScenario({
    service,
    keys: 2,
  });
  try {
    world.clock.advance(60_000);
    world.service.faults.at(position, fault);
    figures.count("faults");
    const { code, stdout, stderr } = await world.apply();
    if (world.service.faults.waiting === 0) figures.count("struck");
    world.service.faults.clear();
    if (fault === "unauthorized-from-now-on") world.useNextKey();
    if (/internal\/fault/.test(stdout + stderr)) throw new Error(`exit ${code}\n${stderr}`);
    await world.service.whenQuiet();
    checkNone(checkMeanwhile(), "meanwhile");
    if (code === 3) world.clock.advance(121_000);
    figures.count("further runs", await world.converge());
    const found = check();
    figures.countViolations(found);
    checkNone(found, "in the end");
    await checkNothingToDo();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await world.close();
  }
}
