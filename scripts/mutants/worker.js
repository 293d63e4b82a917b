/** A process that keeps one vitest with switched source files, and runs the test files that it is sent, one at a time. */
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "rolldown/config";
import { createVitest } from "vitest/node";
import { withSwitches } from "./find-mutants.js";

const [folder] = process.argv.slice(2);
const root = process.cwd();
const { mutants, files } = JSON.parse(readFileSync(join(folder, "list.json"), "utf8"));

const config = await loadConfig(join(root, "vitest.config.ts"));
const { coverage: _coverage, projects, ...shared } = config.test;
const setup = fileURLToPath(new URL("setup.js", import.meta.url));
const vitest = await createVitest(
  "test",
  {
    ...shared,
    root,
    config: false,
    watch: false,
    maxWorkers: 1,
    reporters: [{}],
    projects: projects.filter(isMain).map(switched),
  },
  {},
);
const specifications = await vitest.globTestSpecifications();
const known = new Map(specifications.map((each) => [relative(root, each.moduleId), each]));
process.send({ ready: [...known.keys()].sort() });
process.on("message", (task) => void run(task).then((result) => process.send(result)));
process.on("disconnect", () => process.exit());

function isMain({ test }) {
  return test.name.startsWith("main");
}

/**
 * A project of the main suite with switches in the source. Each test file loads its own modules, because a mutant may
 * spoil the state in them.
 */
function switched({ plugins = [], test }) {
  return {
    plugins: [...plugins, switches()],
    test: { ...test, isolate: true, setupFiles: [setup, ...(test.setupFiles ?? [])] },
  };
}

function switches() {
  return {
    name: "plancast-mutants",
    enforce: "pre",
    transform(code, id) {
      const file = relative(root, id.split("?")[0]);
      const index = files.indexOf(file);
      if (index === -1) return null;
      const own = mutants.flatMap((mutant, number) => (mutant.file === file ? [{ mutant, number }] : []));
      return { code: withSwitches(code, own, mutants.length + index), map: null };
    },
  };
}

/** @param task `active` is undefined to note what the tests of the file reach */
async function run({ file, active, testIds, timeoutMs }) {
  const hitsFile = active === undefined ? join(folder, `hits-${process.pid}.json`) : undefined;
  const { project, moduleId } = known.get(file);
  project.provide("mutant", { active, timeoutMs, hitsFile });
  const started = Date.now();
  const specification = project.createSpecification(moduleId, testIds && { testIds });
  const { testModules: allModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  // The results of earlier runs are included.
  const testModules = allModules.filter((each) => each.moduleId === moduleId);
  const tests = testModules.flatMap((each) => [...each.children.allTests()]);
  const failures = tests.filter((test) => test.result().state === "failed");
  const [failed] = failures;
  const errors = [...unhandledErrors, ...testModules.flatMap((each) => each.errors())];
  vitest.state.errorsSet.clear();
  return {
    ms: Date.now() - started,
    durations: Object.fromEntries(tests.map((test) => [test.id, test.diagnostic()?.duration ?? 0])),
    failures: failures.map(({ id }) => id),
    failed: failed?.fullName ?? (errors.length > 0 || tests.length === 0 ? "(the file)" : undefined),
    why: String(failed?.result().errors?.[0]?.message ?? errors[0]?.message ?? "").slice(0, 300),
    hits: hitsFile === undefined ? undefined : takeHits(hitsFile),
  };
}

function takeHits(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}
