import { expect, test } from "vitest";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { validate } from "../../../src/checks/validate.ts";
import { settingsOf } from "../../../src/settings/calendar-settings.ts";
import { config } from "../../support/rows.ts";
import { xlsx } from "../../support/workbook-files.ts";

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
