/** Reads the sources of a checkout, for the page, the tests and the figures that are made of their imports. */

import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import type { SourceFile } from "./module-graph.ts";

/** The TypeScript files below a checkout's src, by path. */
export function readSources(checkout: string): readonly SourceFile[] {
  const src = join(checkout, "src");
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => ({ path: path.split(sep).join("/"), text: readFileSync(join(src, path), "utf8") }));
}
