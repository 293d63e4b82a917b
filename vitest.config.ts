import { defineConfig } from "vitest/config";
import { pagePlugin } from "./scripts/page-plugin.js";

/** Tests that take long: long chaos, whole browser sessions, jobs in real shells, large inputs, real waiting. */
const LONG = "test/**/*.long.test.ts";

export default defineConfig({
  test: {
    // Some tests start real processes and servers; two cores are shared with them.
    maxWorkers: 3,
    coverage: { include: ["src/**"], reporter: ["text-summary", "json-summary"] },
    projects: [
      {
        plugins: [pagePlugin()],
        test: { ...named("main"), include: ["test/**/*.test.ts"], exclude: [LONG] },
      },
      {
        plugins: [pagePlugin()],
        test: { ...named("long"), include: [LONG, "test/chaos/*.test.ts"], env: { CHAOS_EFFORT: "long" } },
      },
    ],
  },
});

function named(name: string) {
  return { name, testTimeout: 30_000, hookTimeout: 30_000 };
}
