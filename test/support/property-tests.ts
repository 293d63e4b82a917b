/**
 * Settings of all property tests, loaded before each test file.
 *
 * - With `npm test` they try the same values on every run. PROPERTY_SEED and PROPERTY_PATH choose others, to replay a failure.
 * - With `npm run explore` they try new values, and more of them; tests without properties are left out.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { configureGlobal, defaultReportMessage, type RunDetails } from "fast-check";
import { beforeEach, expect } from "vitest";

const { PROPERTY_SEED = "1", PROPERTY_PATH, PROPERTY_EXPLORE } = process.env;
const IS_EXPLORING = PROPERTY_EXPLORE === "1";

configureGlobal({
  seed: Number(PROPERTY_SEED),
  ...(PROPERTY_PATH === undefined ? {} : { path: PROPERTY_PATH }),
  numRuns: manyRuns(1000),
  reporter: (run) => {
    if (run.failed) throw new Error(failureText(run), { cause: run.errorInstance });
  },
});

if (IS_EXPLORING)
  beforeEach(({ task, skip }) => {
    if (!hasProperty(task.file.filepath, task.location?.line ?? 0)) skip("no property test");
  });

/** For `numRuns`: all of these runs when exploring, a tenth with `npm test`. */
export function manyRuns(count: number): number {
  return IS_EXPLORING ? count : Math.ceil(count / 10);
}

function failureText(run: RunDetails<unknown>): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const file = relative("test", testPath);
  // As a pattern without characters that are special in a shell. Groups are joined differently here and in the search.
  const name = currentTestName
    .split(" > ")
    .map((part) => part.replaceAll(/[^\w ,:;-]/g, "."))
    .join(".*");
  const replay = `PROPERTY_SEED=${run.seed} PROPERTY_PATH=${run.counterexamplePath} npm run test:watch -- ${file} -t '${name}'`;
  return `${defaultReportMessage(run)}\n\nReplay it:\n  ${replay}\n`;
}

/** Lines of test files, by path. */
const linesOf = new Map<string, readonly string[]>();

/** @returns whether the test that begins at this line checks a property before the next test begins */
function hasProperty(path: string, line: number): boolean {
  const lines = linesOf.get(path) ?? readFileSync(path, "utf8").split("\n");
  linesOf.set(path, lines);
  const after = lines.slice(line);
  const next = after.findIndex((each) => /^\s*(?:test|describe)\b/.test(each));
  return after.slice(0, next === -1 ? undefined : next).some((each) => /\bfc\.assert\(/.test(each));
}
