/** One comment for several projects. */

import { expect, test } from "vitest";
import {
  type ProjectChoice,
  type ProjectSection,
  projectsMarkdown,
  worstResult,
} from "../../src/report/several-projects.ts";

const ALL: ProjectChoice = { all: 2, why: { kind: "all" }, removed: [] };

function section(project: string, markdown = "x"): ProjectSection {
  return { project, result: "changes", changes: 1, errors: 0, warnings: 0, markdown };
}

test("lists all projects in a table, and shows the result of each below it", () => {
  const text = projectsMarkdown([section("a|b", "one\n"), section("c", "two\n")], ALL);
  expect(text).toContain("| a&#124;b | with changes | 1 |  |  |\n| c | with changes | 1 |  |  |\n");
  expect(text).toMatch(/\n## a&#124;b\n\none\n\n## c\n\ntwo\n$/);
});

test.each([
  [{ kind: "touched" }, "changes no file of the other 6 projects"],
  [{ kind: "unknown" }, "set `fetch-depth: 2`"],
  [{ kind: "shared", file: ".github/a|b.yml" }, "**.github/a&#124;b.yml** affects each of them"],
] as const)("says why these projects run: %j", (why, text) => {
  const shown = projectsMarkdown([section("a"), section("b")], { all: 8, why, removed: [] });
  expect(shown).toContain(text);
});

test("the worst result of any project is the result of all", () => {
  expect(worstResult(["changes", "nothing"])).toBe("changes");
  expect(worstResult(["applied", "failed", "refused"])).toBe("failed");
  expect(worstResult(["failed", "unknown", undefined])).toBe("interrupted");
  expect(worstResult([])).toBeUndefined();
});
