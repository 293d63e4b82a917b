/** "The path of one row" in docs/change/architecture.md: its steps are functions that exist, and their files import each other. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ModuleGraph, moduleGraph, readSources } from "../../src/build/module-graph.ts";
import { inRepository } from "../support/doc-pages.ts";

interface Step {
  readonly number: string;
  readonly name: string;
  /** Relative to src. */
  readonly file: string;
}

const STORY = "sync/sync.ts";
/** From one step to the next, the path has at most this many imports: two files build the service. */
const MOST_IMPORTS = 3;

const SOURCES = readSources(inRepository("."));
const STEPS = stepsOf(readFileSync(inRepository("docs/change/architecture.md"), "utf8"));

function stepsOf(page: string): Step[] {
  const section = page.split(/^## /m).find((part) => part.startsWith("The path of one row\n")) ?? "";
  const links = section.matchAll(/^(\d+)\. \[`(\w+)`\]\(\.\.\/\.\.\/src\/([^)]+)\) /gm);
  return [...links].map(([, number = "", name = "", file = ""]) => ({ number, name, file }));
}

/** Whether a source defines a function, or a class a method, of that name. */
function defines(text: string, name: string): boolean {
  return new RegExp(
    `^(?:export )?(?:async )?function ${name}\\b|^ {2}(?:async )?${name}(?:<\\w+>)?\\(`,
    "m",
  ).test(text);
}

/** How many imports lead from any of some files to another; undefined if none do. */
function importsBetween(graph: ModuleGraph, from: readonly string[], to: string): number | undefined {
  const seen = new Set(from);
  for (let imports = 0, reached = from; reached.length > 0; imports += 1) {
    if (reached.includes(to)) return imports;
    reached = reached.flatMap((file) => [...(graph.get(file) ?? [])]).filter((file) => !seen.has(file));
    for (const file of reached) seen.add(file);
  }
  return undefined;
}

test("the path of one row has at most 25 steps, from the calendar to the request and back", () => {
  expect(STEPS.map(({ number }) => Number(number))).toEqual(STEPS.map((_step, index) => index + 1));
  expect(STEPS.length).toBeLessThanOrEqual(25);
  expect(STEPS[0]?.name).toBe("selectCalendars");
  expect(STEPS.map(({ file }) => file)).toContain("service/http/request.ts");
});

test.each(STEPS)("$name is defined in $file", ({ name, file }) => {
  const { text = "" } = SOURCES.find(({ path }) => path === file) ?? {};
  expect(defines(text, name)).toBe(true);
  expect(defines(text, `${name}Elsewhere`)).toBe(false);
});

test("the file of each step is a few imports away from an earlier step or from sync.ts", () => {
  const graph = moduleGraph(SOURCES);
  const far = STEPS.filter(({ file }, index) => {
    const earlier = [STORY, ...STEPS.slice(0, index).map((step) => step.file)];
    return (importsBetween(graph, earlier, file) ?? Infinity) > MOST_IMPORTS;
  });
  expect(far).toEqual([]);
  expect(importsBetween(graph, ["model/clock.ts"], STORY)).toBeUndefined();
});
