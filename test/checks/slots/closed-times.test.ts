/** Quiet hours and holidays by the clock of the row's zone, also across midnight and clock changes. */
import { expect, test } from "vitest";
import { Aliases } from "../../../src/checks/networks/network-names.ts";
import { parseHolidays } from "../../../src/calendars/read-holidays.ts";
import { ClosedTimes } from "../../../src/checks/slots/closed-times.ts";
import { isoInstant } from "../../../src/model/canonical.ts";
import { config } from "../../support/rows.ts";

function quietAt(quiet_hours: unknown, time: string, timezone = "UTC", network = "linkedin"): boolean {
  const closed = new ClosedTimes(config({ quiet_hours }), new Aliases());
  return closed.quietHours(isoInstant(time, undefined) ?? Number.NaN, timezone, network) !== undefined;
}

test.each([
  ["2030-01-01T21:59:00Z", false],
  ["2030-01-01T22:00:00Z", true],
  ["2030-01-02T00:00:00Z", true],
  ["2030-01-02T06:59:00Z", true],
  ["2030-01-02T07:00:00Z", false],
])("quiet hours end on the next day: %s", (time, isQuiet) => {
  expect(quietAt({ from: "22:00", to: "07:00" }, time)).toBe(isQuiet);
});

test.each([
  ["2030-01-01T11:59:00Z", false],
  ["2030-01-01T12:00:00Z", true],
  ["2030-01-01T13:29:00Z", true],
  ["2030-01-01T13:30:00Z", false],
])("quiet hours end on the same day: %s", (time, isQuiet) => {
  expect(quietAt({ from: "12:00", to: "13:30" }, time)).toBe(isQuiet);
});

test.each([
  ["2030-01-07T06:59:00Z", true],
  ["2030-01-08T06:59:00Z", false],
])("quiet hours of Sunday evening end on Monday morning: %s", (time, isQuiet) => {
  expect(quietAt({ from: "22:00", to: "07:00", days: "sun" }, time)).toBe(isQuiet);
});

test.each([
  // Friday evening to Saturday morning, then Sunday.
  ["2030-01-05T06:00:00Z", "linkedin", true],
  ["2030-01-04T06:00:00Z", "linkedin", false],
  ["2030-01-06T12:00:00Z", "linkedin", false],
  ["2030-01-06T12:00:00Z", "bluesky", true],
  ["2030-01-06T12:00:00Z", "bluesky/founder", true],
  ["2030-01-07T00:00:00Z", "bluesky", false],
])("quiet hours can be for some days and networks: %s %s", (time, network, isQuiet) => {
  const spans = [
    { from: "22:00", to: "07:00", days: "fri" },
    { from: "00:00", to: "00:00", days: "Sun", networks: ["Bluesky"] },
  ];
  expect(quietAt(spans, time, "UTC", network)).toBe(isQuiet);
});

test("quiet hours follow the clock of the row, even when it changes", () => {
  // In New York, 06:30 is 11:30 UTC in winter and 10:30 UTC in summer.
  expect(quietAt({ from: "22:00", to: "07:00" }, "2030-01-10T11:30:00Z", "America/New_York")).toBe(true);
  expect(quietAt({ from: "22:00", to: "07:00" }, "2030-07-10T11:30:00Z", "America/New_York")).toBe(false);
});

function ics(...events: readonly string[]): string {
  const blocks = events.map((event) => `BEGIN:VEVENT\r\n${event}\r\nEND:VEVENT`);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...blocks, "END:VCALENDAR", ""].join("\r\n");
}

async function daysIn(text: string): Promise<Record<string, string> | string> {
  const { holidays, problems } = await parseHolidays(text, "h.ics", Date.parse("2032-12-31"));
  return problems[0]?.message ?? Object.fromEntries(holidays);
}

test("events of whole days are holidays, and yearly ones are repeated", async () => {
  const text = ics(
    "DTSTART;VALUE=DATE:20300101\r\nSUMMARY:New Year",
    "DTSTART;VALUE=DATE:20300730\r\nDTEND;VALUE=DATE:20300801\r\nSUMMARY:Company days",
    "DTSTART:20300505T090000Z\r\nDTEND:20300505T100000Z\r\nSUMMARY:A meeting",
    "DTSTART;VALUE=DATE:20301128\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH\r\nSUMMARY:Thanksgiving",
  );
  expect(await daysIn(text)).toEqual({
    "2030-01-01": "New Year",
    "2030-07-30": "Company days",
    "2030-07-31": "Company days",
    "2030-11-28": "Thanksgiving",
    "2031-11-27": "Thanksgiving",
    "2032-11-25": "Thanksgiving",
  });
});

test("all-day events of every week or month are holidays, except for days that were moved, removed or cancelled", async () => {
  const text = ics(
    "UID:1\r\nDTSTART;VALUE=DATE:20300705\r\nRRULE:FREQ=WEEKLY;UNTIL=20300803;BYDAY=FR\r\nEXDATE;VALUE=DATE:20300712\r\nSUMMARY:Summer Fridays",
    "UID:1\r\nRECURRENCE-ID;VALUE=DATE:20300719\r\nDTSTART;VALUE=DATE:20300718\r\nSUMMARY:A Thursday",
    "UID:1\r\nRECURRENCE-ID;VALUE=DATE:20300726\r\nSTATUS:CANCELLED\r\nDTSTART;VALUE=DATE:20300726\r\nSUMMARY:Summer Fridays",
    "UID:2\r\nDTSTART;VALUE=DATE:20300831\r\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2\r\nSUMMARY:Inventory",
    "UID:3\r\nSTATUS:CANCELLED\r\nDTSTART;VALUE=DATE:20301001\r\nSUMMARY:Cancelled",
    "UID:4\r\nDTSTART;VALUE=DATE:16041224\r\nDTEND;VALUE=DATE:16041226\r\nRRULE:FREQ=YEARLY;UNTIL=20301231\r\nSUMMARY:Two days",
    "UID:5\r\nDTSTART;VALUE=DATE:20301101\r\nRDATE;VALUE=DATE:20301105,20301107\r\nRDATE;VALUE=DATE:20301109\r\nEXDATE;VALUE=DATE:20301107\r\nSUMMARY:Listed",
    "UID:6\r\nDTSTART;VALUE=DATE:20301213\r\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;UNTIL=20310701\r\nRDATE;VALUE=DATE:20301214\r\nSUMMARY:Friday 13th",
  );
  const days = await daysIn(text);
  expect(Object.entries(days).filter(([day]) => day >= "2030")).toEqual([
    ["2030-07-05", "Summer Fridays"],
    ["2030-08-02", "Summer Fridays"],
    ["2030-07-18", "A Thursday"],
    ["2030-08-31", "Inventory"],
    ["2030-09-30", "Inventory"],
    ["2030-12-24", "Two days"],
    ["2030-12-25", "Two days"],
    ["2030-11-01", "Listed"],
    ["2030-11-05", "Listed"],
    ["2030-11-09", "Listed"],
    ["2030-12-13", "Friday 13th"],
    ["2031-06-13", "Friday 13th"],
    ["2030-12-14", "Friday 13th"],
  ]);
});

const YEARLY = "DTSTART;VALUE=DATE:20300101\r\nRRULE:FREQ=YEARLY";
const NEVER = "DTSTART;VALUE=DATE:10310101\r\nRRULE:FREQ=YEARLY";
const LONG = "DTSTART;VALUE=DATE:10310101\r\nDTEND;VALUE=DATE:10330101\r\nRRULE:FREQ=YEARLY";

test.each([
  ["BEGIN:VCALENDAR", "not a valid iCalendar file"],
  ["Christmas,2030-12-25", "not a valid iCalendar file"],
  // A rule like this keeps the library for iCalendar busy for ever.
  [
    ics("DTSTART;VALUE=DATE:20300101\r\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\r\nSUMMARY:x"),
    'event "x" has days that plancast cannot read (RRULE FREQ=DAILY',
  ],
  // Rules that give no day, and rules that give very many.
  [ics(...Array.from({ length: 5_000 }, () => `${NEVER};BYMONTH=2;BYMONTHDAY=30`)), "more than 100,000 days"],
  [
    ics(...Array.from({ length: 50 }, () => "DTSTART;VALUE=DATE:10310101\r\nRRULE:FREQ=DAILY")),
    "more than 100,000 days",
  ],
  [ics("DTSTART;VALUE=DATE:20300101\r\nRRULE:FREQ=YEARLY;BYMONTH=13\r\nSUMMARY:x"), "not a valid"],
  [ics("SUMMARY:No day"), ""],
  // Each of these kept it busy as well, although the first rule is a yearly one.
  [ics(`${YEARLY}\r\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30`), "cannot read (RRULE"],
  [ics(`${YEARLY}\r\nDURATION:P99999999999999W`), "cannot read (DURATION"],
  [ics(`${YEARLY}\r\nRDATE;VALUE=DATE:${"20300101,".repeat(90_000)}20300101`), "cannot read (RDATE"],
  [ics(`${YEARLY}\r\nRDATE;VALUE=PERIOD:20300105T090000Z/PT1H`), "cannot read (RDATE"],
  [ics(`${YEARLY}\r\nRDATE:20300105T090000Z`), "cannot read (RDATE"],
  [ics(`${YEARLY}\r\nEXRULE:FREQ=WEEKLY`), "cannot read (EXRULE"],
  [ics(`${YEARLY}\r\nEXDATE;VALUE=DATE:${"20300101,".repeat(90_000)}20300101`), "cannot read (EXDATE"],
  [ics(...Array.from({ length: 5_000 }, () => LONG)), "more than 100,000 days"],
])("a file that plancast cannot use is an error: %j", async (text, message) => {
  const found = await daysIn(text);
  if (message === "") expect(found).toEqual({});
  else expect(found).toContain(message);
});
