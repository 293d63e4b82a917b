import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests start real processes and servers; two cores are shared with them.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ["src/**"], reporter: ["text-summary", "html"] },
  },
});
