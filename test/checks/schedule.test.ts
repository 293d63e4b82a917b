import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/checks/validate.ts";
import type { Cell } from "../../src/model/row.ts";
import type { Field } from "../../src/model/fields.ts";
import { calendar, config, row } from "../support/rows.ts";

const REST = { platforms: "linkedin", content: "Hello" };

function due(
  cells: Partial<Record<Field, Cell>>,
  settings: Record<string, unknown> = {},
): string | undefined {
  const project = config(settings);
  const { posts, problems } = validate([calendar([row({ ...cells, ...REST })], {}, project)], project);
  return posts[0]?.scheduledAt ?? problems.map(({ code, column }) => `${code}@${column}`).join();
}

/** The places of the problems differ. The problems must not. */
function dueOrCode(cells: Partial<Record<Field, Cell>>, timezone: string): string | undefined {
  return due(cells, { timezone })?.replace(/@.*/, "");
}

test("a day and a time mean the same in two cells as in one", () => {
  const zones = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"];
  const minute = fc.date({ min: new Date("2026-01-01"), max: new Date("2035-12-31"), noInvalidDate: true });
  // Around the days on which these zones change their clocks.
  const change = fc.constantFrom("2027-03-14", "2027-03-28", "2027-04-04", "2027-10-31", "2027-11-07");
  const day = fc.oneof(
    minute.map((each) => each.toISOString().slice(0, 10)),
    change,
  );
  const time = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
  fc.assert(
    fc.property(day, time, fc.constantFrom(...zones), (date, clock, zone) => {
      expect(dueOrCode({ date, time: clock }, zone)).toBe(
        dueOrCode({ scheduled_at: `${date} ${clock}` }, zone),
      );
    }),
  );
});

describe("cells of date and time", () => {
  test.each<[Partial<Record<Field, Cell>>, string]>([
    [{ date: "1er mars 2030", time: "20h30" }, "2030-03-01T19:30:00Z"],
    [{ date: "March 1, 2030", time: "7:00 pm" }, "2030-03-01T18:00:00Z"],
    [{ scheduled_at: "Mar 1, 2030 7 pm" }, "2030-03-01T18:00:00Z"],
    [{ date: "2030-03-01 09:30" }, "2030-03-01T08:30:00Z"],
    [{ date: "2030-03-01", time: "9.30" }, "2030-03-01T08:30:00Z"],
    [{ date: "2030-03-01", time: "16.05" }, "2030-03-01T15:05:00Z"],
    [{ date: "2030-03-01", time: "0.35" }, "schedule/format@20"],
    [{ date: "2030-03-01", time: "9.75" }, "schedule/format@20"],
    [{ date: "9.30", time: "9:30" }, "schedule/format@10"],
    [{ date: "2030-03-01T09:30:00Z" }, "2030-03-01T09:30:00Z"],
    [{ time: "2030-03-01 7:00 pm" }, "2030-03-01T18:00:00Z"],
    [{ scheduled_at: "2030-03-01", time: "09:30" }, "2030-03-01T08:30:00Z"],
    [{ date: "2030-03-01", time: "09:30+05:00" }, "2030-03-01T04:30:00Z"],
    [{ date: "2030-03-01 00:00:00", time: "09:30" }, "2030-03-01T08:30:00Z"],
    [{ date: "2030-03-01 09:30", time: "9:30 AM" }, "2030-03-01T08:30:00Z"],
    [{ date: "2030-03-01 10:00", time: "09:30" }, "row/value-twice@20"],
    [{ date: "2030-03-01", time: "2030-03-02 09:30" }, "row/value-twice@20"],
    [{ scheduled_at: "2030-03-01 00:00", time: "09:30" }, "row/value-twice@20"],
    [{ scheduled_at: "2030-03-01 09:30", date: "2030-03-01" }, "row/value-twice@20"],
    [{ date: "09:30", time: "09:30" }, "row/missing-field@10"],
    [{ date: "2030-03-01", time: "late" }, "schedule/format@20"],
    [{ date: "soon", time: "late" }, "schedule/format@10,schedule/format@20"],
    [{ date: "soon", timezone: "Mars" }, "schedule/format@10,schedule/unknown-timezone@20"],
    [{ date: "2030-03-01", timezone: "Mars" }, "row/missing-field@10,schedule/unknown-timezone@20"],
    [{ date: "2030-07-01", time: "9:00 AM CET" }, "2030-07-01T07:00:00Z"],
    [{ date: "2030-07-01", time: "9h (CET/CEST)" }, "2030-07-01T07:00:00Z"],
    [{ date: "2030-07-01", time: "9:00", timezone: "CET" }, "2030-07-01T07:00:00Z"],
    [{ date: "2030-07-01", time: "9:00", timezone: "UTC+5:30" }, "2030-07-01T03:30:00Z"],
    [{ date: "2030-07-01", time: "9:00 AM ET", timezone: "America/New_York" }, "2030-07-01T13:00:00Z"],
    [{ date: "2030-07-01", time: "9:00 AM ET" }, "schedule/format@20"],
    [{ date: "2030-07-01", time: "9:00", timezone: "EST" }, "schedule/unknown-timezone@30"],
    [{ date: "2030-03-31", time: "2:30 am" }, "schedule/clock-change@10"],
    [{ date: "2030-10-27", time: "2h30" }, "schedule/clock-change@10"],
  ])("%j give %s", (cells, expected) => {
    expect(due(cells)).toBe(expected);
  });

  test("defaults fill in only the time of a day, in any form", () => {
    const project = config();
    const rows = [row({ ...REST, date: "1 March 2030" })];
    const withDefault = (time: string): string | undefined => {
      const { posts, problems } = validate(
        [calendar(rows, { defaults: row({ time }, 1) }, project)],
        project,
      );
      return posts[0]?.scheduledAt ?? problems.map(({ code, line }) => `${code}@${line}`).join();
    };
    expect(withDefault("8h15")).toBe("2030-03-01T07:15:00Z");
    expect(withDefault("2030-01-01")).toBe("schedule/format@1");
    expect(withDefault("soon")).toBe("schedule/format@1");
  });

  test("a row may name its zone, with invisible spaces around it", () => {
    expect(due({ date: "2030-03-01", time: "9:30", timezone: "\u00a0America/New_York\u200b" })).toBe(
      "2030-03-01T14:30:00Z",
    );
  });
});

const messages = (dates: readonly string[]): string[] => {
  const rows = dates.map((date, index) => row({ ...REST, date, time: "9:00", id: String(index) }, index + 2));
  return validate([calendar(rows)], config()).problems.map(({ message }) => message);
};

describe("the order of days and months", () => {
  test("comes from the project or from an entry of its calendars", () => {
    expect(due({ scheduled_at: "3/4/2030 10:00" })).toBe("schedule/ambiguous-date@10");
    expect(due({ scheduled_at: "3/4/2030 10:00" }, { date_order: "dmy" })).toBe("2030-04-03T08:00:00Z");
    expect(due({ scheduled_at: "3/4/2030 10:00" }, { date_order: "mdy" })).toBe("2030-03-04T09:00:00Z");
    expect(due({ scheduled_at: "19/4/2030 10:00" }, { date_order: "mdy" })).toBe("schedule/date-order@10");
  });

  test("is day, month for dates with dots, unless another date can only have another order", () => {
    expect(due({ scheduled_at: "3.4.2030 10:00" })).toBe("2030-04-03T08:00:00Z");
    expect(due({ scheduled_at: "3.4.2030 10:00" }, { date_order: "mdy" })).toBe("2030-03-04T09:00:00Z");
    expect(due({ scheduled_at: "03.04.30 10:00" })).toBe("schedule/ambiguous-date@10");
    expect(messages(["3.4.2030", "4.3.2030", "24.3.2030"])).toEqual([]);
    expect(messages(["3.4.2030", "9.19.2030"])[0]).toContain('"9.19.2030" on line 3 can only be mdy.');
    expect(messages(["3.4.2030", "9/19/2030"])).toHaveLength(1);
  });

  test("is suggested from other cells of the column, but not used without a setting", () => {
    const [first, second, ...others] = messages(["3/4/2030", "19/9/2030", "4/3/2030", "2030-01-01"]);
    expect(others).toEqual([]);
    for (const message of [first, second]) {
      expect(message).toContain("`date_order:`");
      expect(message).toContain('"19/9/2030" on line 3 can only be dmy.');
    }
  });

  test("is not suggested when cells contradict each other or say nothing", () => {
    expect(messages(["3/4/2030", "19/9/2030", "9/19/2030"])[0]).toContain("do not all have the same order");
    expect(messages(["3/4/2030", "5/5/2030"])[0]).toMatch(/dmy or mdy\.$/);
  });
});

test.each([
  ["9-10", "looks like a range, but a post has one time. Write it as 09:30."],
  ["9:00 - 10:00", "looks like a range"],
  ["9.3", "has one digit for the minutes"],
  ["9", "Write it as 09:00, or 21:00 for the evening."],
  ["15", "has no minutes. Write it as 15:00."],
  ["99", "is not a time of day"],
  ["930", "has no sign between hours and minutes"],
  ["9:00 PM EST", "Put the zone into a `timezone` column"],
  ["morning", "is not a time of day. Write it as 09:30."],
  ["TBD", "Fill in the time, or set the row's status to draft"],
  ["0.35", "Format the column as a time"],
  ["0.5", "Format the column as a time"],
])("for %j in a column of times, says how to write a time", (time, advice) => {
  const project = config({ timezone: "UTC" });
  const { problems } = validate(
    [calendar([row({ date: "2036-03-01", time, ...REST })], {}, project)],
    project,
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain(`"${time}"`);
  expect(problems[0]?.message).toContain(advice);
});
