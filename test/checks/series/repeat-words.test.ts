/** Rules of series, in words and in the form of iCalendar, and the days that they give. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadDaysOfRule, readExceptions } from "../../../src/checks/series/occurrences.ts";
import { readRepeat, repeatText } from "../../../src/checks/series/repeat-words.ts";
import { readWhen } from "../../../src/checks/when/read-when.ts";
import { manyRuns } from "../../support/property-tests.ts";

const daysOfRule = await loadDaysOfRule();
const readDay = (text: string): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : undefined;

function daysOf(rule: string, start: string, count: number, until = "2050-01-01"): string[] {
  const found: string[] = [];
  daysOfRule(rule, { start, until }, (day) => found.push(day) < count);
  return found;
}

function days(text: string, start = "2030-01-15", count = 4): string[] {
  const rule = readRepeat(text, readDay);
  if ("message" in rule) throw new Error(rule.message);
  return daysOf(rule.rule, start, count).map((day) => day.slice(2));
}

// 2030-01-15 is a Tuesday.
test.each([
  ["daily", "30-01-15 30-01-16 30-01-17 30-01-18"],
  ["every day", "30-01-15 30-01-16 30-01-17 30-01-18"],
  ["Every 3 days", "30-01-15 30-01-18 30-01-21 30-01-24"],
  ["weekdays", "30-01-15 30-01-16 30-01-17 30-01-18"],
  ["every weekend", "30-01-19 30-01-20 30-01-26 30-01-27"],
  ["weekly", "30-01-15 30-01-22 30-01-29 30-02-05"],
  ["weekly on monday and Thursdays", "30-01-17 30-01-21 30-01-24 30-01-28"],
  ["every mon, wed", "30-01-16 30-01-21 30-01-23 30-01-28"],
  ["every other week", "30-01-15 30-01-29 30-02-12 30-02-26"],
  ["every 2 weeks on mon,fri", "30-01-18 30-01-28 30-02-01 30-02-11"],
  ["monthly", "30-01-15 30-02-15 30-03-15 30-04-15"],
  ["monthly on 1st monday", "30-02-04 30-03-04 30-04-01 30-05-06"],
  ["monthly on first monday, third monday", "30-01-21 30-02-04 30-02-18 30-03-04"],
  ["monthly on the last friday", "30-01-25 30-02-22 30-03-29 30-04-26"],
  ["monthly on last day", "30-01-31 30-02-28 30-03-31 30-04-30"],
  ["monthly on 1, 15th", "30-01-15 30-02-01 30-02-15 30-03-01"],
  ["monthly on 31", "30-01-31 30-03-31 30-05-31 30-07-31"],
  ["every 3 months", "30-01-15 30-04-15 30-07-15 30-10-15"],
  ["yearly", "30-01-15 31-01-15 32-01-15 33-01-15"],
  ["RRULE:FREQ=WEEKLY;BYDAY=TU;INTERVAL=2", "30-01-15 30-01-29 30-02-12 30-02-26"],
  ["freq=monthly; byday=MO,TU,WE,TH,FR; bysetpos=-1", "30-01-31 30-02-28 30-03-29 30-04-30"],
  ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "30-11-28 31-11-27 32-11-25 33-11-24"],
])("%s", (text, wanted) => {
  expect(days(text).join(" ")).toBe(wanted);
});

test("the end of a rule is a last day or a number of posts", () => {
  expect(readRepeat("weekly until 2030-06-30", readDay)).toMatchObject({
    until: { wall: Date.parse("2030-06-30T23:59:59.999Z") },
  });
  expect(readRepeat("monthly on 1st monday x 6", readDay)).toMatchObject({ count: 6 });
  expect(readRepeat("weekly, 12 times", readDay)).toMatchObject({ count: 12 });
  expect(readRepeat("FREQ=DAILY;UNTIL=20300630T215959Z", readDay)).toMatchObject({
    until: { utc: Date.parse("2030-06-30T21:59:59Z") },
  });
});

test.each([
  "sometimes",
  "biweekly",
  "weekly on 1st",
  "every 0 days",
  "weekly x 0",
  "weekly until soon",
  "monthly on monday",
  "monthly on 1st, 2nd monday",
  "daily on mon",
  "wöchentlich",
  "every lundi",
  "weekly ".repeat(200),
  "FREQ=HOURLY",
  "FREQ=SECONDLY;COUNT=9",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
  "FREQ=WEEKLY;BYDAY=1MO",
  "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=WEEKLY;COUNT=3;UNTIL=20300101",
  "FREQ=WEEKLY;UNTIL=20300230",
  "FREQ=WEEKLY;FREQ=DAILY",
  "FREQ=WEEKLY;X-NAME=1",
  "FREQ=WEEKLY;__proto__=1",
  "FREQ=WEEKLY;BYHOUR=9",
  "FREQ=MONTHLY;BYDAY=6MO",
  "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1,-4",
  "FREQ=YEARLY;BYDAY=FR;BYMONTHDAY=13",
  "DTSTART:20300101\nRRULE:FREQ=DAILY",
])("refuses %s", (text) => {
  expect(readRepeat(text, readDay)).toHaveProperty("message");
});

const readDotted = (text: string) => (text === "30.6.2030" ? Date.parse("2030-06-30") : undefined);

test("a last day in another form is written in ISO form", () => {
  expect(repeatText("Weekly until 30.6.2030", readDotted)).toBe("weekly until 2030-06-30");
  expect(repeatText("Weekly on Mon", readDotted)).toBe("Weekly on Mon");
});

// The same rules, day by day: slow and simple.

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;
const DAY_MS = 86_400_000;

interface Rule {
  readonly freq: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  /** Each with its place in the month; 0 for all of them. */
  readonly byDay: readonly (readonly [place: number, weekday: number])[];
  readonly byMonthDay: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPos: readonly number[];
}

const place = fc.constantFrom(0, 0, 1, 2, 3, 4, 5, -1, -2);
const weekday = fc.integer({ min: 0, max: 6 });
const some = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.uniqueArray(each, { minLength: 1, maxLength: 3 });
const monthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: -31, max: -1 }));
const none = fc.constant([]);
/** Several days, because few of them are on a given weekday. */
const monthDays = fc.uniqueArray(monthDay, { minLength: 5, maxLength: 15 });
const interval = fc.integer({ min: 1, max: 4 });
const plainDays = some(weekday).map((all) => all.map((each) => [0, each] as const));
const placedDays = fc.tuple(place, some(weekday)).map(([at, all]) => all.map((each) => [at, each] as const));

const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    freq: fc.constant("DAILY" as const),
    interval,
    byDay: none,
    byMonthDay: none,
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("WEEKLY" as const),
    interval,
    byDay: fc.oneof(none, plainDays),
    byMonthDay: none,
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("MONTHLY" as const),
    interval,
    byDay: none,
    byMonthDay: fc.oneof(none, some(monthDay)),
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("MONTHLY" as const),
    interval,
    byDay: placedDays,
    byMonthDay: none,
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("MONTHLY" as const),
    interval,
    byDay: plainDays,
    byMonthDay: none,
    byMonth: none,
    bySetPos: fc.constantFrom(1, 2, 3, 5, -1, -2).map((at) => [at]),
  }),
  fc.record({
    freq: fc.constant("MONTHLY" as const),
    interval,
    byDay: placedDays,
    byMonthDay: monthDays,
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("MONTHLY" as const),
    interval,
    byDay: plainDays,
    byMonthDay: monthDays,
    byMonth: none,
    bySetPos: fc.constantFrom(1, 2, -1).map((at) => [at]),
  }),
  fc.record({
    freq: fc.constant("YEARLY" as const),
    interval: fc.constantFrom(1, 2),
    byDay: none,
    byMonthDay: none,
    byMonth: none,
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("YEARLY" as const),
    interval: fc.constant(1),
    byDay: fc.oneof(none, placedDays),
    byMonthDay: none,
    byMonth: some(fc.integer({ min: 1, max: 12 })),
    bySetPos: none,
  }),
  fc.record({
    freq: fc.constant("YEARLY" as const),
    interval: fc.constant(1),
    byDay: fc.oneof(none, placedDays),
    byMonthDay: some(monthDay),
    byMonth: some(fc.integer({ min: 1, max: 12 })),
    bySetPos: none,
  }),
);

const list = (name: string, values: readonly (string | number)[]): string =>
  values.length === 0 ? "" : `;${name}=${values.join(",")}`;

function ruleText({ freq, interval: step, byDay, byMonthDay, byMonth, bySetPos }: Rule): string {
  const weekdays = byDay.map(([at, day]) => `${at === 0 ? "" : at}${WEEKDAYS[day] ?? ""}`);
  return `FREQ=${freq};INTERVAL=${step}${list("BYDAY", weekdays)}${list("BYMONTHDAY", byMonthDay)}${list("BYMONTH", byMonth)}${list("BYSETPOS", bySetPos)}`;
}

function expectedDays(rule: Rule, start: string, until: string): string[] {
  const from = new Date(start);
  const found: string[] = [];
  for (let ms = from.getTime(); ms <= Date.parse(until); ms += DAY_MS)
    if (isDay(rule, from, new Date(ms))) found.push(new Date(ms).toISOString().slice(0, 10));
  return found;
}

const weeks = (each: Date): number => Math.floor((each.getTime() / DAY_MS + 3) / 7);
const months = (each: Date): number => each.getUTCFullYear() * 12 + each.getUTCMonth();

function isDay(rule: Rule, from: Date, day: Date): boolean {
  const steps = {
    DAILY: (day.getTime() - from.getTime()) / DAY_MS,
    WEEKLY: weeks(day) - weeks(from),
    MONTHLY: months(day) - months(from),
    YEARLY: day.getUTCFullYear() - from.getUTCFullYear(),
  };
  if (steps[rule.freq] % rule.interval !== 0 || !fits(rule, from, day)) return false;
  if (rule.bySetPos.length === 0) return true;
  const month = Array.from({ length: lastDay(day) }, (_, index) => dayOf(day, index + 1)).filter((each) =>
    fits(rule, from, each),
  );
  const index = month.findIndex((each) => each.getTime() === day.getTime());
  return rule.bySetPos.some((at) => (at > 0 ? at - 1 : month.length + at) === index);
}

function dayOf(day: Date, date: number): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), date));
}

function lastDay(day: Date): number {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
}

function fits({ freq, byDay, byMonthDay, byMonth }: Rule, from: Date, day: Date): boolean {
  const date = day.getUTCDate();
  const isYearly = freq === "YEARLY";
  const isMonth =
    byMonth.length > 0
      ? byMonth.includes(day.getUTCMonth() + 1)
      : !isYearly || byMonthDay.length > 0 || day.getUTCMonth() === from.getUTCMonth();
  if (!isMonth) return false;
  const isMonthDay = byMonthDay.some((each) => date === (each > 0 ? each : lastDay(day) + 1 + each));
  if (byMonthDay.length > 0 && (!isMonthDay || byDay.length === 0)) return isMonthDay;
  if (byDay.length > 0) {
    return byDay.some(([at, weekdayWanted]) => {
      if (weekdayWanted !== day.getUTCDay()) return false;
      if (at === 0) return true;
      return at > 0 ? Math.ceil(date / 7) === at : Math.ceil((lastDay(day) - date + 1) / 7) === -at;
    });
  }
  if (freq === "DAILY") return true;
  return freq === "WEEKLY" ? day.getUTCDay() === from.getUTCDay() : date === from.getUTCDate();
}

const starts = fc
  .integer({ min: Date.parse("2028-01-01") / DAY_MS, max: Date.parse("2032-12-31") / DAY_MS })
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));

test("any rule gives the same days as a check of each single day", () => {
  fc.assert(
    fc.property(rules, starts, (rule, start) => {
      const read = readRepeat(ruleText(rule), readDay);
      if ("message" in read) throw new Error(read.message);
      const until = new Date(Date.parse(start) + 3 * 366 * DAY_MS).toISOString().slice(0, 10);
      const wanted = expectedDays(rule, start, until);
      expect(daysOf(read.rule, start, wanted.length + 1, until)).toEqual(wanted);
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test("a rule that never happens takes little time", () => {
  const before = process.cpuUsage();
  for (let day = 10; day < 30; day += 1)
    expect(daysOf("FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31", `2030-01-${day}`, 1)).toEqual([]);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
});

// Exceptions.

const read = (text: string) => readWhen(text, "dmy");

test("exceptions leave out days or move them, in the forms of the calendar's dates", () => {
  const { exceptions, faults } = readExceptions(
    ["2036-12-24, 31.12.2036 -> 2.1.2037 10:00; Dec 26, 2036"],
    read,
  );
  expect(faults).toEqual([]);
  expect(exceptions).toMatchObject([
    { day: "2036-12-24" },
    { day: "2036-12-31", to: { day: "2037-01-02", time: { hour: 10, minute: 0 } } },
    { day: "2036-12-26" },
  ]);
});

test.each(["->", "→", ">", "=>", "–>"])("%s moves a post to another day", (arrow) => {
  const { exceptions } = readExceptions([`2036-12-24 ${arrow} 2036-12-27`], read);
  expect(exceptions).toMatchObject([{ day: "2036-12-24", to: { day: "2036-12-27" } }]);
});

test("an exception without an arrow shows how to move a post", () => {
  const [fault] = readExceptions(["2036-12-24 to 2036-12-27"], read).faults;
  expect(fault?.message).toMatch(
    /^"2036-12-24 to 2036-12-27" .* To move a post, write 2027-12-24 -> 2027-12-27\.$/,
  );
});

test.each([
  "tomorrow",
  "2036-12-24 10:00",
  "-> 2036-12-24",
  "2036-12-24 -> 10:00",
  "2036-12-24 -> 2036-12-25T10:00Z",
  "a -> b -> c",
])("refuses the exception %s", (text) => {
  expect(readExceptions([text], read).faults).toHaveLength(1);
});

test("a day that is listed twice is an error", () => {
  expect(readExceptions(["2036-12-24", "2036-12-24 -> 2036-12-25"], read).faults).toMatchObject([
    { item: 1 },
  ]);
});

test("any text in exceptions is read quickly", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 3 }), (items) => {
      const { exceptions, faults } = readExceptions(items, read);
      expect(exceptions.length + faults.length).toBeGreaterThanOrEqual(0);
    }),
  );
});
