/** Cells that are joined to a date or a time, and cells that say that they are blank. */

import { expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { PostEdit } from "../../../src/calendars/edit/edit-post.ts";
import { validate } from "../../../src/checks/validate.ts";
import { config } from "../../support/rows.ts";
import { xlsx } from "../../support/workbook-files.ts";

/** The times of the posts, or what is wrong. */
function times(header: string, row: string, columns: Record<string, string> = {}): unknown {
  const settings = config({ timezone: "UTC", columns });
  const read = readCsv("a.csv", `${header},platforms,content\n${row},linkedin,Hello\n`, settings);
  const { posts, problems } = validate([{ ...read, file: "a.csv", settings }], settings);
  const wrong = [...read.problems, ...problems].map(({ code }) => code);
  return wrong.length > 0 ? wrong.join(" ") : posts.map(({ scheduledAt }) => scheduledAt).join(" ");
}

const PARTS = Object.fromEntries([
  ...["Day", "Tag", "Día", "日"].map((name) => [name, "date"]),
  ...["Month", "Monat", "Mes", "月", "Year", "Jahr", "Año", "年"].map((name) => [name, "date+"]),
  ...["AM/PM", "am or pm"].map((name) => [name, "time+"]),
]);

test.each([
  ["date,time,AM/PM", "2036-03-03,7:30,PM", "2036-03-03T19:30:00Z"],
  ["date,time,am or pm", "2036-03-03,12:00,a.m.", "2036-03-03T00:00:00Z"],
  ["date,time,AM/PM", "2036-03-03,07:30,am", "2036-03-03T07:30:00Z"],
  ["date,time,AM/PM", "2036-03-03,19:30,PM", "2036-03-03T19:30:00Z"],
  ["date,time,AM/PM", "2036-03-03,7:30 pm,PM", "2036-03-03T19:30:00Z"],
  ["date,time,AM/PM", "2036-03-03,19:30,", "2036-03-03T19:30:00Z"],
  ["date,time,AM/PM", "2036-03-03,7:30 am,PM", "schedule/format"],
  ["date,time,AM/PM", "2036-03-03,19:30,AM", "schedule/format"],
  ["date,time,AM/PM", "2036-03-03,7:30,", "schedule/format"],
  ["Year,Month,Day,time", "2036,March,3,09:00", "2036-03-03T09:00:00Z"],
  ["Year,Month,Day,time", "2036,3,12,09:00", "2036-03-12T09:00:00Z"],
  ["Tag,Monat,Jahr,time", "3.,März,2036,09:00", "2036-03-03T09:00:00Z"],
  ["Día,Mes,Año,time", "3,marzo,2036,09:00", "2036-03-03T09:00:00Z"],
  ["日,月,年,time", "3,4,2036,09:00", "2036-04-03T09:00:00Z"],
  ["Month,Day,time", "March 2036,3rd,09:00", "2036-03-03T09:00:00Z"],
  ["Month,Day,time", "2036-03-01,3,09:00", "2036-03-03T09:00:00Z"],
  ["Month,Day,time", "March,3,09:00", "schedule/format"],
  ["Month,Day,time", "June 2036,31,09:00", "schedule/format"],
  ["Month,Day,time", "March 2036,Monday,09:00", "schedule/format"],
  ["Month,date,time", "March,2036-04-01,09:00", "2036-04-01T09:00:00Z"],
])("%s: %s is %s", (header, row, expected) => {
  expect(times(header, row, PARTS)).toBe(expected);
});

test("a column with a part of the date is an error until somebody says so", () => {
  expect(times("date,time,AM/PM", "2036-03-03,7:30,PM")).toBe("columns/unknown");
  expect(times("date,time,Month", "2036-03-03,7:30,March")).toBe("columns/unknown");
});

const WEEK = { "Week of": "date", Day: "date+" };

test.each([
  ["2036-03-03,Wednesday", "2036-03-05T09:00:00Z"],
  ["2036-03-02,Sat", "2036-03-08T09:00:00Z"],
  ["3 March 2036,Sunday", "2036-03-09T09:00:00Z"],
  ["2036-03-05,Monday", "schedule/weekday"],
  ["3/10/2036,Friday", "schedule/ambiguous-date"],
  ["2036-03-03,", "2036-03-03T09:00:00Z"],
])("with the day of the week as a part of the date, %s is %s", (row, expected) => {
  expect(times("Week of,Day,time", `${row},09:00`, WEEK)).toBe(expected);
});

test("a sheet that is named after a month completes the numbers of days", async () => {
  const rows = [
    ["Day", "Time", "Platform", "Caption"],
    [3, "9:00", "linkedin", "Hello"],
  ];
  const read = async (name: string) => {
    const settings = config({ timezone: "UTC", columns: { Day: "date" }, sheet: name });
    const { rows: found } = await readContents("a.xlsx", xlsx([{ name, rows }]), settings);
    return found.map(({ cells }) => cells.date);
  };
  expect(await read("March 2036")).toEqual(["3 March 2036"]);
  expect(await read("2036-03")).toEqual(["2036-03-03"]);
  expect(await read("March")).toEqual(["3"]);
  expect(await read("Plan 2036")).toEqual(["3"]);
});

test("nobody can move a post whose time is in several columns", () => {
  const settings = config({ timezone: "UTC", columns: PARTS });
  const text = "date,time,AM/PM,platforms,content\n2036-03-03,7:30,PM,linkedin,Hello\n";
  const calendar = { ...readCsv("a.csv", text, settings), file: "a.csv", settings };
  expect(PostEdit.of(calendar, 0, ["linkedin"], settings)?.when()).toEqual({
    why: "Several cells of the row hold this value. Change them in the file.",
  });
});

const cellsOf = (text: string) =>
  readCsv("a.csv", text, { columns: {} }).rows.map(({ cells, variants }) => [
    cells,
    variants.map((each) => [each.platform, each.cells.content]),
  ]);

test("a word such as n/a means blank where a cell may be blank", () => {
  expect(
    cellsOf(
      "date,platforms,content,Image,First comment\n2036-03-03,linkedin,Hi,N/A,-\n2036-03-03,n/a,-,none,\n",
    ),
  ).toEqual([
    [{ date: "2036-03-03", platforms: "linkedin", content: "Hi" }, []],
    [{ date: "2036-03-03", platforms: "n/a", content: "-" }, []],
  ]);
});

test("n/a in the text for a network means no post there, unless another column has a text for all networks", () => {
  const copies =
    "date,content:linkedin,content:x\n2036-03-03,Hello,n/a\n2036-03-04,keine,Hi\n2036-03-05,x,no\n";
  expect(cellsOf(copies).map(([, variants]) => variants)).toEqual([
    [["linkedin", "Hello"]],
    [["x", "Hi"]],
    [
      ["linkedin", "x"],
      ["x", "no"],
    ],
  ]);
  const shared = 'date,platforms,content,content:twitter\n2036-03-03,"linkedin, x",Hello,n/a\n';
  expect(cellsOf(shared)[0]?.[1]).toEqual([["twitter", "n/a"]]);
});
