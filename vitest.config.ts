import { type TestUserConfig, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { pagePlugin } from "./scripts/page-plugin.js";
import { folderInMemory, folderOfRun } from "./test/support/folder-of-run.ts";

/** Tests that take long: long chaos, whole browser sessions, jobs in real shells, large inputs, real waiting. */
const LONG = "test/**/*.long.test.ts";
/** Tests of both suites: `npm test` tries few cases, or runs them in its own process (`test/chaos/effort.ts`). */
const BOTH = ["test/chaos/*.test.ts", "test/e2e/hostile-checkout.test.ts"];
/** Tests on real servers of networks, which `npm run test:networks` installs. */
const REAL = "test/**/*.real.test.ts";
/**
 * Tests whose worker no other test may get. The first replaces modules. The second takes more than a gigabyte for
 * pictures and does not give it back: each start of a process would copy the tables of that memory.
 */
const NEEDS_OWN_WORKER = [
  "test/disk/process-lock-no-links.test.ts",
  "test/media/pictures/make-picture.test.ts",
];

/** The folders whose files take longest: they start processes, servers, browsers, or whole jobs. */
const SLOW =
  /\/test\/(?:browser|build|chaos|corpus|e2e|embedded\/publishing|github|package|repository|service\/(?:share|types))\//;

/** Starts slow files first. A slow file at the end would run while the other workers have nothing left to do. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Smaller numbers start first. The isolated project is first: its workers must not replace one that has loaded src. */
function rank({ project, moduleId }: TestSpecification): number {
  if (project.name === "main-isolated") return 0;
  return SLOW.test(moduleId) ? 1 : 2;
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    // Some tests start real processes and servers; two cores are shared with them.
    maxWorkers: 3,
    // One failed test of ten thousand must not cost the figures of a whole run.
    coverage: { include: ["src/**"], reporter: ["text-summary", "json-summary"], reportOnFailure: true },
    projects: [
      // Files share the modules of src: loading them again for each file takes as long as a third of the tests.
      project("main", {
        include: ["test/**/*.test.ts"],
        exclude: [LONG, REAL, ...NEEDS_OWN_WORKER],
        isolate: false,
        // V8 optimizes a function after 15 times as much work: in short tests, optimizing takes longer than it saves.
        // Node 22 does not know the option.
        execArgv: process.version.startsWith("v20.") ? ["--interrupt-budget=1000000"] : [],
        env: { TMPDIR: folderOfRun(folderInMemory()) },
      }),
      project("main-isolated", { include: NEEDS_OWN_WORKER }),
      project("networks", { include: [REAL] }),
      project("long", { include: [LONG, ...BOTH], env: { CHAOS_EFFORT: "long" } }),
    ],
  },
});

/** A project uses the disk, unless its `env` says otherwise. */
function project(name: string, { env, ...test }: TestUserConfig) {
  return {
    plugins: [pagePlugin()],
    test: {
      name,
      // They end what hangs. No test is about its own speed, and a busy machine may need long.
      testTimeout: 90_000,
      hookTimeout: 90_000,
      env: { TMPDIR: folderOfRun(), ...env },
      globalSetup: ["test/support/folder-of-run.ts"],
      setupFiles: ["test/support/property-tests.ts"],
      includeTaskLocation: true,
      ...test,
    },
  };
}
