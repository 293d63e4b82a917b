/** Runs before each test file: switches one mutant on, or notes which mutants each test reaches. */
import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, inject, vi } from "vitest";

const { active, timeoutMs, hitsFile } = inject("mutant");
/** An endless loop, which a mutant caused, passes here this often. */
const ENDLESS = 20_000_000;

vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs });
if (hitsFile === undefined) switchOn();
else noteHits();

function switchOn() {
  let count = 0;
  globalThis.isMutantOn = (number) => {
    if (number !== active) return false;
    count += 1;
    if (count > ENDLESS) throw new Error("This mutant made a loop endless.");
    return true;
  };
  let hasFailed = false;
  beforeEach((context) => {
    // One failure is enough.
    if (hasFailed) context.skip();
  });
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });
}

/** Code that runs after a test and before the next one counts for that test. */
function noteHits() {
  /** Reached while the file was imported, or before its first test. */
  const before = new Set();
  const tests = {};
  let hits = before;
  globalThis.isMutantOn = (number) => {
    hits.add(number);
    return false;
  };
  beforeEach(({ task }) => {
    hits = tests[task.id] ??= new Set();
  });
  afterAll(() => {
    const byTest = Object.fromEntries(Object.entries(tests).map(([id, each]) => [id, [...each]]));
    writeFileSync(hitsFile, JSON.stringify({ before: [...before], tests: byTest }));
  });
}
