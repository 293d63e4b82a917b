import { describe, expect, test } from "vitest";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import type { ReadOptions } from "../../../src/calendars/read/format.ts";
import { readYaml } from "../../../src/calendars/formats/yaml/read-yaml.ts";
import type { RawCalendar } from "../../../src/model/row.ts";
import { validate } from "../../../src/checks/validate.ts";
import { settingsOf } from "../../../src/settings/calendar-settings.ts";
import { config } from "../../support/rows.ts";
import { xlsx } from "../../support/workbook-files.ts";
import { cellsOf, codes } from "../places.ts";

const read = (text: string, options: Partial<ReadOptions> = {}): RawCalendar =>
  readCsv("a.csv", text, { columns: {}, ...options });

const HEADER = "date,platforms,content,Notes\n";

describe("carry: blank cells have the value of the row above", () => {
  test("in the columns that it names, by field or by header", () => {
    const text = `date,Réseau,content\n2036-03-01,x,a\n,,b\n2036-03-02,,c\n,linkedin,d\n`;
    for (const carry of [
      ["date", "platforms"],
      ["Date", "réseau"],
    ]) {
      const calendar = read(text, { carry });
      expect(calendar.problems).toEqual([]);
      expect(cellsOf(calendar)).toEqual([
        { date: "2036-03-01", platforms: "x", content: "a" },
        { date: "2036-03-01", platforms: "x", content: "b" },
        { date: "2036-03-02", platforms: "x", content: "c" },
        { date: "2036-03-02", platforms: "linkedin", content: "d" },
      ]);
    }
  });

  test("not above the first value, and not in other columns", () => {
    expect(cellsOf(read("date,content,platforms\n,a,x\n1,b,\n,c,\n", { carry: ["date"] }))).toEqual([
      { content: "a", platforms: "x" },
      { date: "1", content: "b" },
      { date: "1", content: "c" },
    ]);
  });

  test("a name that no column has is an error", () => {
    const { problems } = read("date,content\n1,a\n", { carry: ["platforms", "Resau"] });
    expect(codes(problems)).toEqual(["columns/not-found@1:1"]);
    expect(problems[0]?.message).toContain("`Resau`");
  });

  test("merged cells of these columns need no other setting", async () => {
    const rows = [
      ["date", "content"],
      ["2036-03-01", "a"],
      [undefined, "b"],
    ];
    const sheet = { name: "Plan", rows, after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' };
    const calendar = await readContents("a.xlsx", xlsx([sheet]), { columns: {}, carry: ["date"] });
    expect([calendar.problems, cellsOf(calendar)[1]]).toEqual([[], { date: "2036-03-01", content: "b" }]);
  });

  test("in YAML too", () => {
    const text = "- {date: 1, network: [x, linkedin], content: a}\n- {content: b}\n- {date: 2, content: c}\n";
    const calendar = readYaml("a.yaml", text, { columns: {}, carry: ["date", "network"] });
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([
      { date: "1", platforms: ["x", "linkedin"], content: "a" },
      { date: "1", platforms: ["x", "linkedin"], content: "b" },
      { date: "2", platforms: ["x", "linkedin"], content: "c" },
    ]);
    expect(calendar.rows[1]?.at("platforms", 0)).toMatchObject({ line: 2 });
  });
});

describe("a row with only a text", () => {
  const rows = "date,time,platforms,content,id\n2036-03-01,09:00,x,a,\n";
  const all = ["date", "time", "platforms"];

  test("is an error if it would be a second post at the same time: it may be a footnote", () => {
    const calendar = read(`${rows},,,* All times are local,\n,10:00,,b,\n,,,c,own\n`, { carry: all });
    expect(calendar.problems).toEqual([]);
    expect(codes(calendar.rows.flatMap(({ doubts = [] }) => doubts))).toEqual(["row/missing-field@3:4"]);
    const problemsWith = (given: Record<string, unknown>): string[] => {
      const project = config({ timezone: "UTC", ...given });
      return codes(validate([{ ...calendar, settings: settingsOf(project, []) }], project).problems);
    };
    expect(problemsWith({})).toEqual(["row/missing-field@3:4"]);
    expect(problemsWith({ only: { platforms: "linkedin" } })).not.toContain("row/missing-field@3:4");
  });

  test("is a post if it takes a slot of the day, or nothing is carried", () => {
    const slots = `date,platforms,content\n2036-03-01,x,a\n,,b\n`;
    expect(read(slots, { carry: ["date", "platforms"] }).problems).toEqual([]);
    expect(read(`${rows},,,b,\n`).problems).toEqual([]);
  });
});

describe("rows that are not posts are left out with one warning:", () => {
  test.each([
    ["a note in a column that plancast does not read", ",,,Pilier 1 : annonce"],
    ["a title of words in a column of dates", "Week 2: July 15–21,,,"],
    ["a comment", "# July starts here,,,"],
    ["a row with its date commented out", "# 2036-03-04,x,Not yet: wait for legal,"],
    ["a total in any column that is not published", ",Total posts,,5"],
    ["a total in another language", "Summe:,,,5"],
    ["a total with a sum below the texts", "Total,,12,5"],
    ["a total of money", 'Gesamt,,"1,250 €",'],
  ])("%s", (_what, line) => {
    const calendar = read(`${HEADER}${line}\n2036-03-01,x,a,\n${line}\n`, { columns: { Notes: "ignore" } });
    expect(codes(calendar.problems)).toEqual(["row/not-a-post@2:1"]);
    expect(calendar.problems[0]).toMatchObject({ severity: "warning" });
    expect(calendar.problems[0]?.message).toContain("2 rows (lines 2, 4)");
    expect(cellsOf(calendar)).toEqual([{ date: "2036-03-01", platforms: "x", content: "a" }]);
  });

  test("checkboxes that nobody ticked", () => {
    const calendar = read("date,content,platforms:x\n2036-03-01,a,TRUE\n,,FALSE\n,,FALSE\n");
    expect(codes(calendar.problems)).toEqual(["row/not-a-post@3:1"]);
    expect(calendar.rows).toHaveLength(1);
  });

  test("rows with only a status, which a list in the sheet fills in; a draft without anything is only a draft", () => {
    const calendar = read("date,content,status\n2036-03-01,a,ready\n,,ready\n,,Approved\n,,Draft\n");
    expect(codes(calendar.problems)).toEqual(["row/not-a-post@3:1"]);
    expect(calendar.problems[0]?.message).toContain("2 rows (lines 3, 4)");
    expect(calendar.rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  test("a total in a column of yes and no", () => {
    const calendar = read("date,content,Approved?\n2036-03-01,a,yes\n,,Total: 3\n,,yes\n");
    expect(codes(calendar.problems)).toEqual(["row/not-a-post@3:1"]);
    expect(calendar.rows.map(({ line }) => line)).toEqual([2, 4]);
  });

  test("a merged title over the first columns of a sheet", async () => {
    const rows = [["id", "date", "content"], ["Week 1"], ["a", "2036-03-01", "Hi"]];
    const sheet = { name: "Plan", rows, after: '<mergeCells><mergeCell ref="A2:C2"/></mergeCells>' };
    const calendar = await readContents("a.xlsx", xlsx([sheet]), { columns: {} });
    expect(calendar.problems).toMatchObject([{ code: "row/not-a-post", cell: "Plan!A2" }]);
    expect(calendar.rows.map(({ line }) => line)).toEqual([3]);
  });

  test.each([
    ["a text", ",,Hello,"],
    ["a date", "2036-03-02,,,"],
    ["a date that cannot be read", "7 Novermber,,Hello,"],
    ["a date and a note", "2036-03-02,,,call Ana"],
    ["a title and a note", "Week 2: July,,,call Ana"],
    ["a network", ",x,,"],
    ["a total as its text", ",,Total,5"],
    ["a total and a text", "Total,,Hello,5"],
    ["a sum without a total", ",,12,"],
    ["`#` in front of a different cell than the date", "2036-03-02,#x,#Hello,"],
  ])("but never a row with %s", (_what, line) => {
    const calendar = read(`${HEADER}${line}\n`, { columns: { Notes: "ignore" } });
    expect([codes(calendar.problems), calendar.rows.length]).toEqual([[], 1]);
  });

  test("and never a text that only looks like a comment, or an id", () => {
    expect(read("content,date\n# One of us,\n").rows).toHaveLength(1);
    expect(read("id,date,content\nspring launch,,\n").rows).toHaveLength(1);
  });
});
