import { defineConfig } from "vitest/config";
import { pagePlugin } from "./scripts/page-plugin.js";

export default defineConfig({
  plugins: [pagePlugin()],
  test: {
    include: ["test/**/*.test.ts"],
    // Many tests wait, for a rate limit or for processes; meanwhile others can run.
    maxWorkers: 3,
    // Tests start real processes and servers; two cores are shared with them.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ["src/**"], reporter: ["text-summary", "html"] },
  },
});
