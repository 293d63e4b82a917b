/**
 * Builds dist/. The command and all that it imports become a few files, cut where something is loaded on demand: to
 * open and compile hundreds of modules takes longer than most runs. Types are checked elsewhere (`npm run check:types`);
 * those of what the package exports are written here.
 */
import { build } from "rolldown";
import { pagePlugin } from "./page-plugin.js";
import { writeTypes } from "./write-types.js";

await build({
  input: {
    cli: "src/cli.ts",
    // What the package exports.
    index: "src/index.ts",
    // What scripts and tests start in processes of their own.
    "json-schemas": "src/json-schemas.ts",
    "presets-page": "src/presets-page.ts",
    "rules-page": "src/rules-page.ts",
    "embedded/start-embedded": "src/embedded/start-embedded.ts",
    "state/process-lock": "src/state/process-lock.ts",
  },
  platform: "node",
  plugins: [pagePlugin()],
  // Bottleneck's, for modules that it is given.
  checks: { eval: false },
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  },
});

await writeTypes("index", "dist/types");
