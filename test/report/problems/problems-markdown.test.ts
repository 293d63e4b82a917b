import { expect, test } from "vitest";
import { problem } from "../../../src/model/problem.ts";
import { problemsMarkdown } from "../../../src/report/problems/github.ts";

const past = problem("schedule/past", "Too late.", { file: "calendars/a.csv", line: 2, column: 4 });
const status = problem("row/status", "`x` <b>@all</b> is not a status.", {
  file: "calendars/a.csv",
  line: 3,
});

test("errors come first, and no text is executed", () => {
  const text = problemsMarkdown([past, status], { maxLength: 10_000 });
  expect(text.split("\n")[0]).toBe("**No plan: 1 error, 1 warning in 1 file**");
  expect(text.indexOf("status")).toBeLessThan(text.indexOf("Too late"));
  expect(text).not.toMatch(/<b>|@all/);
});

test("problems that do not fit are counted", () => {
  const text = problemsMarkdown(
    Array.from({ length: 500 }, (_, index) => ({ ...past, file: `calendars/${index}.csv` })),
    { maxLength: 1_000 },
  );
  expect(text.length).toBeLessThanOrEqual(1_000);
  const shown = text.match(/^- /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(5);
  expect(text.endsWith(`\n… and ${500 - shown} more problems\n`)).toBe(true);
});

test("many problems of one kind are one line, with the number and the lines of the others", () => {
  const text = problemsMarkdown(
    [status, ...Array.from({ length: 40 }, (_, index) => ({ ...past, line: 10 + index }))],
    { maxLength: 10_000 },
  );
  expect(text.match(/^- /gm)).toHaveLength(2);
  expect(text).toContain("\n  And on lines 11–49 (39 more).\n");
  expect(text).not.toContain("… and");
});

test("places are links to the line, or to a workbook with the name of the cell", () => {
  const links = {
    place: ({ file, line }: { readonly file: string; readonly line?: number }) =>
      `https://a.example/${file}#L${line}`,
    picture: () => undefined,
  };
  const cell = { file: "plan.xlsx", line: 4, column: 3, cell: "My plan!C4" };
  const text = problemsMarkdown([status, problem("row/id", "Too long.", cell)], { maxLength: 10_000, links });
  expect(text).toContain("🛑 **error** [calendars/a.csv:3](https://a.example/calendars/a.csv#L3): ");
  expect(text).toContain("[plan.xlsx, sheet My plan, cell C4](https://a.example/plan.xlsx#L4): Too long.");
});
