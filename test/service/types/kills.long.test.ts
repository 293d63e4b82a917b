/** Apply as a process that is killed at each step, then runs until one ends with 0. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { LONG_MS } from "../../chaos/effort.ts";
import { TestClock } from "../../chaos/test-clock.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { runProcess } from "../../support/run-process.ts";
import { SERVICES, type Start, startScenario, wrongAfterMoreRuns } from "./fault-scenario.ts";

const PRELOAD = pathToFileURL(new URL("../../support/kill-at-step.js", import.meta.url).pathname).href;
/** One of this many steps; a prime. */
const ONE_IN = 11;

/** Gives the report of the step, or with 0 the number of steps, and what was wrong after more runs. */
async function killAt(step: number, start: Start): Promise<readonly [string, string | undefined]> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-kills-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const clock = new TestClock(join(folder, "clock"));
  const scenario = await startScenario(start, clock);
  const { world } = scenario;
  const report = join(folder, "report");
  await runProcess(["apply", "--yes", "--format", "json"], {
    cwd: world.project.root,
    env: {
      ...world.env,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CHAOS_KILL_AT: String(step),
      CHAOS_REPORT: report,
      CHAOS_CLOCK: clock.file,
    },
  });
  const did = await readFile(report, "utf8").catch(() => "");
  return [did, await wrongAfterMoreRuns(scenario)];
}

test.each(SERVICES)(
  "%s: nothing is published twice or lost after a kill",
  { timeout: LONG_MS },
  async (_name, start) => {
    const [steps, wrong] = await killAt(0, start);
    expect(wrong).toBeUndefined();
    const count = Number(/\d+/.exec(steps)?.[0]);
    expect(count).toBeGreaterThan(10);
    const found: string[] = [];
    for (let step = 1; step <= count; step += ONE_IN) {
      const [did, what] = await killAt(step, start);
      if (what !== undefined) found.push(`killed at ${step}, ${did}: ${what}`);
    }
    expect(found).toEqual([]);
  },
);
