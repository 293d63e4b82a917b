import { describe, expect, test } from "vitest";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { validate } from "../../../src/checks/validate.ts";
import { mixedDateProblems } from "../../../src/checks/when/doubtful-times.ts";
import { settingsOf } from "../../../src/settings/calendar-settings.ts";
import { config } from "../../support/rows.ts";
import { type TestCell, xlsx } from "../../support/workbook-files.ts";

const FORMATS = ["yyyy-mm-dd"];

/** A real date of a workbook, by its serial number. */
function real(day: string, ref: string): TestCell {
  const serial = Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;
  return { xml: `<c r="${ref}" s="1"><v>${serial}</v></c>` };
}

async function problemsIn(dates: readonly string[], given: { format?: "csv" | "xlsx"; only?: object } = {}) {
  const project = config({ date_order: "dmy", ...given.only });
  const settings = settingsOf(project, []);
  const rows = dates.map((date, index) => [`Post ${index}`, "09:00", "linkedin", date]);
  const cells: TestCell[][] = rows.map(([text, time, platform, date = ""], index) =>
    /^\d{4}-/.test(date) ? [text, time, platform, real(date, `D${index + 2}`)] : [text, time, platform, date],
  );
  const header = ["content", "time", "platforms", "date"];
  const isCsv = given.format === "csv";
  const bytes = isCsv
    ? Buffer.from([header, ...rows].map((each) => each.join(",")).join("\n"))
    : xlsx([{ name: "Plan", rows: [header, ...cells] }], { formats: FORMATS });
  const calendar = await readContents(isCsv ? "a.csv" : "a.xlsx", bytes, settings);
  return { calendar, ...validate([{ ...calendar, settings }], project) };
}

const TYPED_IN_ANOTHER_ORDER = [
  "28/9/2036",
  "29/9/2036",
  ...Array.from({ length: 12 }, (_none, index) => `2036-${String(index + 1).padStart(2, "0")}-10`),
  "13/10/2036",
];

describe("a column of texts with days over 12 and real dates with days of 12 or less", () => {
  test("is an error that names the cells, because the spreadsheet swapped day and month", async () => {
    const { problems } = await problemsIn(TYPED_IN_ANOTHER_ORDER);
    expect(problems).toMatchObject([
      { code: "schedule/mixed-dates", severity: "error", file: "a.xlsx", cell: "Plan!D4" },
    ]);
    expect(problems[0]?.message).toContain("Plan!D4, Plan!D5");
    // The tenth of October is the same in both orders.
    expect(problems[0]?.message).not.toContain("Plan!D13");
    expect(problems[0]?.message).toContain("2036-01-10 would then mean 1 October 2036");
  });

  test("is an error in both orders, and with times", async () => {
    const { problems } = await problemsIn(["9/28/2036", "2036-01-10"], { only: { date_order: "mdy" } });
    expect(problems).toMatchObject([{ code: "schedule/mixed-dates", cell: "Plan!D3" }]);
    const rows = [
      { text: "28/9/2036 09:00", line: 2 },
      { text: "2036-01-10 09:00", line: 3 },
    ].map(({ text, line }) => ({
      file: "a.xlsx",
      line,
      cells: { scheduled_at: text },
      variants: [],
      at: () => ({ file: "a.xlsx", line, column: 1, cell: `Plan!A${line}` }),
    }));
    expect(mixedDateProblems(rows)).toHaveLength(1);
  });

  test("is an error in CSV if the rows are in order only with day and month swapped", async () => {
    const csv = { format: "csv" } as const;
    const { problems } = await problemsIn(TYPED_IN_ANOTHER_ORDER, csv);
    expect(problems).toMatchObject([{ code: "schedule/mixed-dates", file: "a.csv", line: 4, column: 23 }]);
    expect((await problemsIn(["28/9/2036", "2036-10-11", "2036-10-12"], csv)).problems).toEqual([]);
    expect((await problemsIn(["28/9/2036", "2036-01-12", "2036-01-02"], csv)).problems).toEqual([]);
  });
});

describe("is read as it is:", () => {
  test.each([
    ["a column of real dates only", ["2036-01-10", "2036-02-10"]],
    ["a column of texts only", ["28/9/2036", "1/10/2036"]],
    ["real dates of which one has a day over 12", ["28/9/2036", "2036-10-01", "2036-10-13"]],
    ["real dates that are the same in both orders", ["28/9/2036", "2036-10-10"]],
    ["texts that do not agree on the order", ["28/9/2036", "2036-10-01", "9/28/2036"]],
    ["texts with small days too, in order as they are", ["5/9/2036", "28/9/2036", "2036-10-01"]],
  ])("%s", async (_what, dates) => {
    const { problems } = await problemsIn(dates);
    expect(problems.filter(({ code }) => code === "schedule/mixed-dates")).toEqual([]);
  });
});

test("rows that a filter leaves out do not count", async () => {
  const { problems } = await problemsIn(["28/9/2036", "2036-01-10"], { only: { only: { date: "2036-09" } } });
  expect(problems).toMatchObject([{ code: "schedule/mixed-dates" }]);
  const platform = await problemsIn(["28/9/2036", "2036-01-10"], { only: { only: { platform: "x" } } });
  expect(platform.problems.map(({ code }) => code)).toEqual(["filter/no-rows"]);
});

const HEADER = ["content", "platforms", "scheduled_at"];

async function warned(times: readonly string[], isWorkbook = false): Promise<(number | undefined)[]> {
  const project = config({});
  const settings = settingsOf(project, []);
  const rows = times.map((time, index) => [`Post ${index}`, "linkedin", `2036-05-0${index + 1} ${time}`]);
  const bytes = isWorkbook
    ? xlsx([{ name: "Plan", rows: [HEADER, ...rows] }])
    : Buffer.from([HEADER, ...rows].map((each) => each.join(",")).join("\n"));
  const calendar = await readContents(isWorkbook ? "a.xlsx" : "a.csv", bytes, settings);
  const { problems } = validate([{ ...calendar, settings }], project);
  return problems.flatMap(({ code, line }) => (code === "schedule/half-day" ? [line] : []));
}

describe("times that may lack am or pm:", () => {
  test.each([
    ["a day from morning to afternoon", ["9:00", "12:30", "3:00", "5:30"], [4]],
    ["a time after 12:59", ["9:00", "3:00", "14:00"], []],
    ["am and pm", ["9:00 am", "3:00 am"], []],
    ["one time with pm", ["9:00", "3:00", "5:00 pm"], []],
    ["zeros in front", ["09:00", "03:00"], []],
    ["only times at night", ["3:00", "4:00"], []],
    ["only mornings", ["9:00", "6:30", "11:00"], []],
  ])("%s", async (_what, times, lines) => {
    expect(await warned(times)).toEqual(lines);
  });

  test("a workbook writes all times with a zero in front", async () => {
    expect(await warned(["09:00", "03:00"], true)).toEqual([3]);
  });
});
