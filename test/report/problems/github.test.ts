import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Problem, problem } from "../../../src/model/problem.ts";
import { annotations, problemsMarkdown } from "../../../src/report/problems/github.ts";
import { hostileText } from "../hostile-text.ts";

const at = { file: "calendars/a.csv", line: 3, column: 7 };

test("an annotation has the calendar's line and column, relative to the repository", () => {
  expect(annotations([problem("row/type", "Write `ready`.", at)], "")).toBe(
    "::error file=calendars/a.csv,line=3,col=7,title=row/type::Write `ready`.\n",
  );
  expect(annotations([problem("schedule/past", "Past.", at)], "social/spring")).toBe(
    "::warning file=social/spring/calendars/a.csv,line=3,col=7,title=schedule/past::Past.\n",
  );
});

test("an annotation names the cell of a workbook, because GitHub shows no lines of it", () => {
  const cell = { file: "plan.xlsx", line: 3, column: 2, cell: "Plan!B3" };
  expect(annotations([problem("row/type", "No.", cell)], "")).toBe(
    "::error file=plan.xlsx,title=row/type in Plan!B3::No.\n",
  );
});

test("characters that end a property or a command are escaped in the form that the runner decodes", () => {
  const given = { ...at, file: "a,b:c%0A.csv" };
  expect(annotations([problem("row/type", "100%\r\n::set-output name=a::b ##[x]", given)], "")).toBe(
    String.raw`::error file=a%2Cb%3Ac%250A.csv,line=3,col=7,title=row/type::100%25\r\n::set-output name=a::b #\u{23}[x]` +
      "\n",
  );
});

function many(count: number, code: "schedule/past" | "row/type"): Problem[] {
  return Array.from({ length: count }, (_, line) => problem(code, "No.", { ...at, line: line + 1 }));
}

describe("of many", () => {
  test("shows the ten worst problems, and counts the others in one notice", () => {
    const lines = annotations([...many(8, "schedule/past"), ...many(6, "row/type")], "").split("\n");
    const kinds = lines.map((line) => line.split(" ")[0]);
    expect(kinds).toEqual([...Array(6).fill("::error"), ...Array(4).fill("::warning"), "::notice", ""]);
    expect(lines[10]).toBe(
      "::notice title=and 4 more problems::4 warnings in 1 file more than the 10 here. The job's summary lists them.",
    );
  });

  test("shows all of ten problems, without a count", () => {
    expect(annotations(many(10, "row/type"), "").match(/^::/gm)).toHaveLength(10);
    expect(annotations(many(10, "row/type"), "")).not.toContain("notice");
  });
});

test("each problem is exactly one command, for any file name and message", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (file, message, folder) => {
      const output = annotations([problem("row/type", message, { ...at, file })], folder);
      const lines = output.slice(0, -1).split(/[\r\n\u2028\u2029\u0085]/);
      expect(lines).toHaveLength(1);
      expect(output).toMatch(/^::error file=[^:,]*,line=3,col=7,title=row\/type::/);
      expect(output).not.toMatch(/##(\[|vso\[)/);
    }),
  );
});

const past = problem("schedule/past", "Too late.", { file: "calendars/a.csv", line: 2, column: 4 });
const status = problem("row/type", "`x` <b>@all</b> is not a status.", {
  file: "calendars/a.csv",
  line: 3,
});

test("errors come first, and no text is executed", () => {
  const text = problemsMarkdown([past, status]);
  expect(text.split("\n")[0]).toBe("**No plan: 1 error, 1 warning in 1 file**");
  expect(text.indexOf("status")).toBeLessThan(text.indexOf("Too late"));
  expect(text).not.toMatch(/<b>|@all/);
});

test("more problems than anybody reads are counted", () => {
  const text = problemsMarkdown(
    Array.from({ length: 500 }, (_, index) => ({ ...past, file: `calendars/${index}.csv` })),
  );
  expect(text.match(/^- /gm)).toHaveLength(100);
  expect(text.endsWith("\n… and 400 more problems\n")).toBe(true);
});

test("many problems of one kind are shown on one line, with the number and the lines of the others", () => {
  const text = problemsMarkdown([
    status,
    ...Array.from({ length: 40 }, (_, index) => ({ ...past, line: 10 + index })),
  ]);
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
  const text = problemsMarkdown([status, problem("row/id", "Too long.", cell)], { links });
  expect(text).toContain("🛑 **error** [calendars/a.csv:3](https://a.example/calendars/a.csv#L3): ");
  expect(text).toContain("[plan.xlsx, sheet My plan, cell C4](https://a.example/plan.xlsx#L4): Too long.");
});

test("what reviewers must see comes before other warnings, and none of it is only counted", () => {
  const settings = Array.from({ length: 6 }, (_, index) =>
    problem("plan/setting-changed", `Setting ${index} changes.`, { file: "plancast.yaml" }),
  );
  const posts = Array.from({ length: 5 }, (_, index) =>
    problem("repository/schedule-edited", `Post ${index} is new.`),
  );
  const others = Array.from({ length: 60 }, (_, index) =>
    many(3, "schedule/past").map((each) => ({ ...each, file: `${index}.csv` })),
  ).flat();
  const given = [...others, ...settings, ...posts];
  const markdown = problemsMarkdown(given);
  for (const { message } of [...settings, ...posts]) expect(markdown).toContain(message);
  expect(markdown.indexOf("Post 4")).toBeLessThan(markdown.indexOf("schedule/past"));
  expect(annotations(given, "")).toContain("Setting 5 changes.");
});
