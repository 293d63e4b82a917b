/** 300 rules of iCalendar with the days that another library, rrule 2.8.1, gives for them. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadDaysOfRule } from "../../../src/checks/series/occurrences.ts";

/** Each line: the rule, the first day, and the first twelve days of the ten years after it. */
const LINES = readFileSync(new URL("rule-days.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");
const MOST = 12;
const TEN_YEARS_MS = 10 * 366 * 86_400_000;

const daysOfRule = await loadDaysOfRule();

test.each(LINES)("%s", (line) => {
  const [, rule = "", start = "", days = ""] = /^(\S+) (\S+): ?(.*)$/.exec(line) ?? [];
  const until = new Date(Date.parse(start) + TEN_YEARS_MS).toISOString().slice(0, 10);
  const found: string[] = [];
  daysOfRule(rule, { start, until }, (day) => found.push(day) < MOST);
  expect(found).toEqual(days === "" ? [] : days.split(" "));
});

test("a daily rule goes on for 50 years", () => {
  let count = 0;
  daysOfRule("FREQ=DAILY", { start: "2027-01-01", until: "2090-01-01" }, () => (count += 1) < 18_262);
  expect(count).toBe(18_262);
});

test.each(["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31"])(
  "a rule that gives no day ends: %s",
  (rule) => {
    let count = 0;
    daysOfRule(rule, { start: "2027-02-01", until: "2037-02-01" }, () => (count += 1) < 5);
    expect(count).toBe(0);
  },
);
