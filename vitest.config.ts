import { type TestUserConfig, defineConfig } from "vitest/config";
import { pagePlugin } from "./scripts/page-plugin.js";

/** Tests that take long: long chaos, whole browser sessions, jobs in real shells, large inputs, real waiting. */
const LONG = "test/**/*.long.test.ts";
/** Tests that replace modules, which other tests must not see. */
const REPLACES_MODULES = "test/disk/process-lock-no-links.test.ts";

export default defineConfig({
  test: {
    // Some tests start real processes and servers; two cores are shared with them.
    maxWorkers: 3,
    coverage: { include: ["src/**"], reporter: ["text-summary", "json-summary"] },
    projects: [
      // Files share the modules of src: loading them again for each file takes as long as a third of the tests.
      project("main", { include: ["test/**/*.test.ts"], exclude: [LONG, REPLACES_MODULES], isolate: false }),
      project("main-isolated", { include: [REPLACES_MODULES] }),
      project("long", { include: [LONG, "test/chaos/*.test.ts"], env: { CHAOS_EFFORT: "long" } }),
    ],
  },
});

function project(name: string, test: TestUserConfig) {
  return {
    plugins: [pagePlugin()],
    test: {
      name,
      // They end what hangs. No test is about its own speed, and a busy machine may need long.
      testTimeout: 90_000,
      hookTimeout: 90_000,
      setupFiles: ["test/support/property-tests.ts"],
      includeTaskLocation: true,
      ...test,
    },
  };
}
