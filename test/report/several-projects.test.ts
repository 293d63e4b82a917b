/** One comment for several projects. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ProjectChoice,
  type ProjectSection,
  projectsMarkdown,
  worstResult,
} from "../../src/report/several-projects.ts";

const ALL: ProjectChoice = { all: 2, why: { kind: "all" }, removed: [] };

function section(project: string, length: number, least = 0): ProjectSection {
  return {
    project,
    result: "changes",
    changes: 1,
    errors: 0,
    warnings: 0,
    markdown: (maxLength) => "x".repeat(Math.max(least, Math.min(length, maxLength))),
  };
}

/** The length of each section's own text. */
function lengths(text: string): number[] {
  return text
    .split("## ")
    .slice(2)
    .map((part) => part.replaceAll(/[^x]/g, "").length);
}

test("each section has the same share of the space", () => {
  const sections = [section("a", 50_000), section("b", 100), section("c", 50_000)];
  const [long = 0, short, other = 0] = lengths(
    projectsMarkdown(sections, ALL, { maxLength: 60_000, whole: "w" }),
  );
  expect(short).toBe(100);
  expect(long).toBeGreaterThan(19_500);
  expect(Math.abs(long - other)).toBeLessThan(10);
});

test("never gets longer than its limit, however many projects there are and however long their names", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          name: fc.string({ minLength: 1, maxLength: 300, unit: "grapheme" }),
          length: fc.nat(80_000),
          least: fc.nat(5_000),
        }),
        { maxLength: 200 },
      ),
      (given) => {
        const sections = given.map(({ name, length, least }) => section(name, length, least));
        const text = projectsMarkdown(
          sections,
          { ...ALL, all: given.length },
          { maxLength: 62_000, whole: "w" },
        );
        expect(text.length).toBeLessThanOrEqual(62_000);
      },
    ),
  );
});

test("counts the projects that did not fit, and still lists them in the table", () => {
  const sections = Array.from({ length: 100 }, (_, index) => section(`p${index}`, 5_000, 4_000));
  const text = projectsMarkdown(sections, ALL, { maxLength: 62_000, whole: "the run has them" });
  const shown = lengths(text).length;
  expect(text).toContain(`**${100 - shown} more projects** did not fit here; the run has them.`);
  expect(text.match(/^\| p\d+ \|/gm)).toHaveLength(100);
});

test.each([
  [{ kind: "touched" }, "changes no file of the other 6 projects"],
  [{ kind: "unknown" }, "set `fetch-depth: 2`"],
  [{ kind: "shared", file: ".github/a|b.yml" }, "**.github/a&#124;b.yml** affects each of them"],
] as const)("says why these projects run: %j", (why, text) => {
  const shown = projectsMarkdown(
    [section("a", 1), section("b", 1)],
    { all: 8, why, removed: [] },
    { maxLength: 9_000, whole: "" },
  );
  expect(shown).toContain(text);
});

test("the worst result of any project is the result of all", () => {
  expect(worstResult(["changes", "nothing"])).toBe("changes");
  expect(worstResult(["applied", "failed", "refused"])).toBe("failed");
  expect(worstResult(["failed", "unknown", undefined])).toBe("interrupted");
  expect(worstResult([])).toBeUndefined();
});
