/**
 * Builds dist/. Bundles the command and all that it imports into a few files, with separate files for what loads on
 * demand. Opening and compiling hundreds of modules would take longer than most runs. Types are checked elsewhere
 * (`npm run check:types`); those of what the package exports are written here.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { builtinOnlyPlugin } from "./builtin-only-plugin.js";
import { bundledPackages, licenseNotices, softwareBill } from "./bundled-packages.js";
import { pagePlugin } from "./page-plugin.js";
import { pictureLibraries, pictureLibrariesPlugin } from "./picture-libraries-plugin.js";
import { quickStartPlugin } from "./quick-start-plugin.js";
import { startChunks } from "./start-chunks.js";
import { writeTypes } from "./write-types.js";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));

/** @returns what was written  @param {string} folder is emptied first  @param {Record<string, string>} input modules of src by name of file */
async function bundle(folder, input) {
  const { plugin, groups } = startChunks();
  const { output } = await build({
    input,
    platform: "node",
    // Importing a module of src only defines what it exports, so modules without a used export are left out.
    treeshake: { moduleSideEffects: (id) => (id.startsWith(SRC) ? false : undefined) },
    plugins: [pagePlugin(), pictureLibrariesPlugin(), builtinOnlyPlugin(), quickStartPlugin(), plugin],
    // What is loaded on demand is often also imported by other code that is loaded on demand. It is still loaded late.
    checks: { ineffectiveDynamicImport: false },
    output: {
      dir: folder,
      cleanDir: true,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      codeSplitting: { groups },
      // The comments of other packages' functions are an eighth of the code. Their licences stay.
      comments: { jsdoc: false },
    },
  });
  return output;
}

// What is installed: the command, and what the package exports.
const packages = bundledPackages(
  await bundle("dist", { cli: "src/cli.ts", index: "src/index.ts", testing: "src/testing.ts" }),
  pictureLibraries,
);
// What scripts and tests of this repository run; no part of the package.
await bundle("dist-dev", {
  "module-graph": "src/build/module-graph.ts",
  "reference-pages": "src/build/reference-pages.ts",
  "commands/main": "src/commands/main.ts",
  "commands/shell": "src/commands/shell/shell.ts",
  "disk/place": "src/disk/place.ts",
  "disk/process-lock": "src/disk/process-lock.ts",
  "embedded/start-embedded": "src/embedded/start-embedded.ts",
});

const manifest = JSON.parse(await readFile("package.json", "utf8"));
await writeFile("dist/third-party-licenses.txt", licenseNotices(packages));
await writeFile("dist/sbom.cdx.json", `${JSON.stringify(softwareBill(manifest, packages), null, 2)}\n`);
await writeFile("dist-dev/bundled.json", JSON.stringify(packages));
await writeTypes("index", "dist/types");
