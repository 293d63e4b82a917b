/**
 * Writes the pages that are generated from the definitions in src: into docs/, or into the folder that is named. A test
 * fails when they drift apart.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { referencePages } from "../dist-dev/reference-pages.js";
import { dependenciesPage } from "./dependency-reasons.js";
import { problemExamples } from "./problem-examples.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(checkout, "docs");
const packages = JSON.parse(readFileSync(new URL("../dist-dev/bundled.json", import.meta.url), "utf8"));
const pages = {
  ...(await referencePages(await problemExamples(), checkout)),
  "change/dependencies.md": dependenciesPage(packages),
};
for (const [path, text] of Object.entries(pages)) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
console.log(
  `Wrote ${Object.keys(pages).length} pages to ${relative("", folder)}/: ${Object.keys(pages).join(", ")}.`,
);
