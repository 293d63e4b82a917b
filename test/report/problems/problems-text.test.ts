import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { type Problem, problem } from "../../../src/model/problem.ts";
import {
  countsText,
  problemsSummary,
  problemsText,
  sourceExcerpt,
} from "../../../src/report/problems/problems-text.ts";
import { validationDocument } from "../../../src/report/problems/problems-json.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { hostileText } from "../hostile-text.ts";

const STYLE = createStyle({ color: false, width: 80, unicode: true });
const GAP = problem("schedule/clock-change", "02:30 does not exist. Write another time.", {
  file: "calendars/march.csv",
  line: 4,
  column: 12,
  length: 5,
});

const at = (file: string | undefined, line?: number): Problem =>
  problem("row/type", "No.", {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  });

/** Like `at`, in a cell of a workbook. */
const cell = (name: string, line: number): Problem => ({ ...different("plan.xlsx", line), cell: name });

/** The same code with another message. */
const different = (file: string, line: number): Problem => ({
  ...at(file, line),
  message: `No, line ${line}.`,
});

function textOf(problems: readonly Problem[]): string {
  return problemsText(problems, () => undefined, STYLE);
}

describe("problemsText", () => {
  test("shows place, severity, code, message and the line, underlined", () => {
    expect(problemsText([GAP], () => "2027-03-28,02:30,linkedin", STYLE)).toBe(
      [
        "calendars/march.csv:4:12 error schedule/clock-change",
        "  02:30 does not exist. Write another time.",
        "  4 │ 2027-03-28,02:30,linkedin",
        "    │            ^^^^^",
        "",
        "1 error in 1 file",
        "",
      ].join("\n"),
    );
  });

  test("groups problems by file, in the order of the files, and sorts them within a file", () => {
    const shown = problemsText(
      [at("b.csv", 9), at("a.csv", 1), at("b.csv", 2), at(undefined)],
      () => undefined,
      STYLE,
    );
    expect(shown.match(/^.*error row\/type$/gm)).toEqual([
      "b.csv:2 error row/type",
      "a.csv:1 error row/type",
      "error row/type",
    ]);
  });

  test("each sheet of a workbook keeps its problems together", () => {
    const problems = [cell("January!A3", 3), cell("January!A9", 9), cell("February!A2", 2)];
    const shown = problemsText(problems, () => undefined, STYLE);
    expect(shown.match(/\w+!A\d/g)).toEqual(["January!A3", "January!A9", "February!A2"]);
  });

  test("errors come before warnings, whatever their file", () => {
    const warning = { ...at("b.csv", 1), severity: "warning" as const };
    const shown = problemsText([warning, at("b.csv", 9), at("a.csv", 1)], () => undefined, STYLE);
    expect(shown.match(/^.*row\/type$/gm)).toEqual([
      "b.csv:9 error row/type",
      "a.csv:1 error row/type",
      "b.csv:1 warning row/type",
    ]);
  });

  test("if a file has many problems of one kind, shows the first few, and the lines of the others", () => {
    const column = Array.from({ length: 3_900 }, (_, index) => different("a.csv", index + 2));
    const others = [GAP, at("b.csv", 3), { ...at("a.csv", 50), code: "row/id" as const }];
    const shown = problemsText([...others, ...column], () => undefined, STYLE);
    expect(shown.match(/^.*row\/type$/gm)).toHaveLength(4);
    expect(shown).toContain("\n  3,897 more problems like this, on lines 5–3901.");
    expect(shown).toContain("a.csv:50 error row/id");
    expect(shown).toContain("3,903 errors in 3 files");
    const three = problemsText(column.slice(0, 3), () => undefined, STYLE);
    expect(three.match(/^.*row\/type$/gm)).toHaveLength(3);
  });

  test("a message that occurs several times in a file is shown once, with the other places", () => {
    const same = [2, 3, 5].map((line) => at("a.csv", line));
    expect(textOf(same)).toBe(
      "a.csv:2 error row/type\n  No.\n  And on lines 3, 5 (2 more).\n\n3 errors in 1 file\n",
    );
    expect(textOf(same.slice(1))).toContain("  And on line 5.\n");
    const more = textOf([...same, different("a.csv", 4), at("a.csv", 9), at("b.csv", 1)]);
    expect(more.match(/^.*row\/type$/gm)).toEqual([
      "a.csv:2 error row/type",
      "a.csv:4 error row/type",
      "b.csv:1 error row/type",
    ]);
    expect(more).toContain("And on lines 3, 5, 9 (3 more).");
    expect(more).toContain("6 errors in 2 files");
  });

  test("more problems of a workbook are counted by rows", () => {
    const cells = [2, 3, 5, 9].map((line) => ({ ...at("a.xlsx", line), cell: `Plan!C${line}` }));
    expect(textOf(cells)).toContain("And in rows 3, 5, 9 (3 more).");
  });

  test("a problem that one line in plancast.yaml fixes for a whole calendar is shown once", () => {
    const column = ["a.csv", "a.csv", "a.csv", "b.csv"].map((file, index) => ({
      ...at(file, index + 2),
      code: "schedule/no-timezone" as const,
    }));
    const shown = problemsText(column, () => undefined, STYLE);
    expect(shown.match(/^.*no-timezone$/gm)).toEqual([
      "a.csv:2 error schedule/no-timezone",
      "b.csv:5 error schedule/no-timezone",
    ]);
    expect(shown).toContain("And on lines 3–4 (2 more).");
    expect(shown).toContain("4 errors in 2 files");
  });

  test("separate lines are named as far as there is space", () => {
    const scattered = Array.from({ length: 40 }, (_, index) => different("a.csv", index * 3 + 2));
    expect(problemsText(scattered, () => undefined, STYLE).replaceAll(/\s+/g, " ")).toContain(
      "37 more problems like this, on lines 11, 14, 17, 20, 23, 26, 29, 32 and more up to 119.",
    );
  });

  test("while columns of a file are unknown, shows none of its rows' problems", () => {
    const unknown = {
      ...at("a.csv", 1),
      code: "columns/unknown" as const,
      settings: "columns:\n  Mood: ignore",
    };
    const shown = problemsText([unknown, at("a.csv", 2), at("b.csv", 2)], () => undefined, STYLE);
    expect(shown.match(/^.*(?:row|columns)\/.*$/gm)).toEqual([
      "a.csv:1 error columns/unknown",
      "b.csv:2 error row/type",
    ]);
    expect(shown).toContain("2 errors in 2 files");
  });

  test("says nothing without problems", () => {
    expect(problemsText([], () => undefined, STYLE)).toBe("");
  });

  test("counts, with the right plurals", () => {
    const warning = problem("service/not-stored", "Ignored.", { file: "other.csv" });
    expect(problemsSummary([GAP, GAP, GAP, warning])).toBe("3 errors, 1 warning in 2 files");
    expect(problemsSummary([problem("calendar/none-found", "None.")])).toBe("1 warning");
    expect(problemsSummary([])).toBe("No problems");
  });
});

/** The excerpt with its underline below it. */
function drawn(line: string, word: string, width = 60): string[] {
  const {
    text,
    offset,
    width: columns,
  } = sourceExcerpt(line, { column: line.indexOf(word) + 1, length: word.length }, width, "…");
  return [text, " ".repeat(offset) + "^".repeat(columns)];
}

describe("sourceExcerpt", () => {
  test.each([
    ["tabs", "a\tb\tBAD", ["a    b    BAD", "          ^^^"]],
    ["emoji of two columns", "🚀👩‍🚀 BAD", ["🚀👩‍🚀 BAD", "     ^^^"]],
    ["Chinese and Japanese", "東京,BAD,x", ["東京,BAD,x", "     ^^^"]],
    ["wide letters underlined", "x,東京", ["x,東京", "  ^^^^"]],
    ["letters with combining marks", "cafe\u{301} BAD", ["cafe\u{301} BAD", "     ^^^"]],
    ["characters made visible", "\u{202e} BAD", [String.raw`\u{202e} BAD`, "         ^^^"]],
  ])("underlines the right columns after %s", (_, line, lines) => {
    expect(drawn(line, line.includes("BAD") ? "BAD" : "東京")).toEqual(lines);
  });

  test("clips a long line around the place", () => {
    const long = `${"before ".repeat(30)}BAD${" after".repeat(30)}`;
    expect(drawn(long, "BAD", 30)).toEqual(["…e before BAD after after aft…", "          ^^^"]);
    expect(drawn(`BAD${" after".repeat(30)}`, "BAD", 30)).toEqual(["BAD after after after after …", "^^^"]);
    expect(drawn(`${"before ".repeat(30)}BAD`, "BAD", 30)).toEqual([
      "…ore before before before BAD",
      "                          ^^^",
    ]);
  });

  test("if a line ends too early, points at its end; without a length, points at one grapheme", () => {
    expect(sourceExcerpt("abc", { column: 9 }, 60, "…")).toEqual({ text: "abc", offset: 3, width: 1 });
    expect(sourceExcerpt("a👩‍🚀b", { column: 4 }, 60, "…")).toEqual({ text: "a👩‍🚀b", offset: 1, width: 2 });
  });

  test("reads only the shown part of an endless line", () => {
    const line = `${"é".repeat(1_000_000)}BAD${"é".repeat(1_000_000)}`;
    expect(drawn(line, "BAD", 20)[0]).toBe("…ééééééBADééééééééé…");
  });

  test("any line stays within the width, and its underline stays below its text", () => {
    const places = fc.record({
      column: fc.integer({ min: 1, max: 80 }),
      length: fc.integer({ min: 0, max: 80 }),
    });
    fc.assert(
      fc.property(hostileText, places, fc.integer({ min: 20, max: 80 }), (line, place, width) => {
        const { text, offset, width: columns } = sourceExcerpt(line, place, width, "…");
        expect(stringWidth(text)).toBeLessThanOrEqual(width);
        expect(columns).toBeGreaterThanOrEqual(1);
        // One past the end marks a missing part.
        expect(offset + columns).toBeLessThanOrEqual(stringWidth(text) + 1);
      }),
    );
  });
});

const ROWS = { upcoming: 40, past: 0, expired: 0, invalid: 0, drafts: 0, skipped: 0, filteredOut: 0 };

test.each([
  [{}, "40 upcoming posts"],
  [{ upcoming: 1, past: 2, skipped: 1 }, "1 upcoming post, 2 past, 1 skipped"],
  [
    { expired: 1, drafts: 2, skipped: 3, invalid: 1, filteredOut: 1 },
    "40 upcoming posts, 1 expired, 2 drafts, 3 skipped, 1 row with errors, 1 row left out by the filter",
  ],
])("counts each group of rows separately: %j", (counts, text) => {
  expect(countsText({ ...ROWS, ...counts })).toBe(text);
});

test("validationDocument counts and lists", () => {
  const warning = problem("calendar/none-found", "None.");
  expect(validationDocument([GAP, warning], { calendars: 2, rows: { ...ROWS, drafts: 1 } })).toEqual({
    version: 1,
    summary: {
      calendars: 2,
      posts: 40,
      upcoming: 40,
      past: 0,
      expired: 0,
      invalid: 0,
      draft: 1,
      skipped: 0,
      filtered_out: 0,
      errors: 1,
      warnings: 1,
    },
    problems: [
      {
        code: "schedule/clock-change",
        severity: "error",
        message: "02:30 does not exist. Write another time.",
        file: "calendars/march.csv",
        line: 4,
        column: 12,
      },
      { code: "calendar/none-found", severity: "warning", message: "None." },
    ],
  });
});
