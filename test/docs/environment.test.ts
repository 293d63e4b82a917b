/** docs/run/environment.md: it lists each variable of plancast that the sources name, and no others. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readSources } from "../../src/build/module-graph.ts";
import { inRepository } from "../support/doc-pages.ts";

test("the page of environment variables lists each PLANCAST_ variable of the sources", async () => {
  const page = await readFile(inRepository("docs/run/environment.md"), "utf8");
  const listed = [...page.matchAll(/^\| `(PLANCAST_\w+)`/gm)].map(([, name]) => name);
  const sources = readSources(inRepository(".")).map(({ text }) => text);
  const read = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:env\[|variable: )"(PLANCAST_\w+)"/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set(read));
  expect(read).not.toEqual([]);
});
