/** Any day and time, written into a cell of any form, gives the cell that a person would have typed in that form. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type When, readWhen } from "../../../src/checks/when/read-when.ts";
import { rewriteWhen } from "../../../src/checks/when/write-when.ts";
import type { DateOrder } from "../../../src/model/fields.ts";

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  year: fc.integer({ min: 2030, max: 2060 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
});

const two = (value: number): string => String(value).padStart(2, "0");
const named = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  return ({ year, month, day }: Moment) => format.format(Date.UTC(year, month - 1, day));
};
const month = named("en-GB", { month: "long" });
const shortWeekday = named("en-US", { weekday: "short" });
const french = named("fr-FR", { month: "long" });
const german = named("de-DE", { month: "long" });
const germanWeekday = named("de-DE", { weekday: "long" });
const twelve = ({ hour }: Moment): number => hour % 12 || 12;
const half = ({ hour }: Moment): string => (hour < 12 ? "AM" : "PM");
const ordinal = (day: number): string => {
  if (day > 10 && day < 14) return `${day}th`;
  return `${day}${["th", "st", "nd", "rd"][day % 10] ?? "th"}`;
};

type Form = (at: Moment) => string;

/** Days that start a form with leading zeros, for forms where one cell alone may not show them. */
const FORMS: readonly (readonly [DateOrder | undefined, Form])[] = [
  [undefined, ({ year, month: m, day }) => `${year}-${two(m)}-${two(day)}`],
  [undefined, ({ year, month: m, day }) => `${year}/${m}/${day}`],
  [undefined, ({ year, month: m, day }) => `${year}${two(m)}${two(day)}`],
  ["dmy", ({ year, month: m, day }) => `${day}/${m}/${year}`],
  ["dmy", ({ year, month: m, day }) => `${two(day)}.${two(m)}.${year}`],
  ["mdy", ({ year, month: m, day }) => `${m}/${day}/${year}`],
  ["mdy", ({ year, month: m, day }) => `${two(m)}-${two(day)}-${String(year).slice(2)}`],
  [undefined, (at) => `${at.day} ${month(at)} ${at.year}`],
  [undefined, (at) => `${month(at).toUpperCase()} ${ordinal(at.day).toUpperCase()}, ${at.year}`],
  [undefined, (at) => `${shortWeekday(at)} ${at.day} ${month(at)} ${at.year}`],
  [undefined, (at) => `${at.day} ${french(at)} ${at.year}`],
  [undefined, (at) => `${germanWeekday(at)}, ${two(at.day)}. ${german(at)} ${at.year}`],
  [undefined, ({ hour, minute }) => `${two(hour)}:${two(minute)}`],
  [undefined, ({ hour, minute }) => `${hour}:${two(minute)}`],
  [undefined, ({ hour, minute }) => `${two(hour)}:${two(minute)}:00`],
  [undefined, (at) => `${twelve(at)}:${two(at.minute)} ${half(at)}`],
  [undefined, (at) => `${two(twelve(at))}:${two(at.minute)}${half(at).toLowerCase()}`],
  [undefined, ({ hour, minute }) => `${two(hour)}h${two(minute)}`],
  [undefined, ({ hour, minute }) => `${hour}:${two(minute)} Uhr`],
  [
    undefined,
    ({ year, month: m, day, hour, minute }) => `${year}-${two(m)}-${two(day)} ${two(hour)}:${two(minute)}`,
  ],
  [
    undefined,
    ({ year, month: m, day, hour, minute }) =>
      `${year}-${two(m)}-${two(day)}T${two(hour)}:${two(minute)}:00Z`,
  ],
  [
    undefined,
    ({ year, month: m, day, hour, minute }) =>
      `${year}-${two(m)}-${two(day)}T${two(hour)}:${two(minute)}:00-05:00`,
  ],
  ["mdy", (at) => `${at.month}/${at.day}/${at.year} ${twelve(at)}:${two(at.minute)} ${half(at)}`],
  [
    undefined,
    (at) => `${at.day} ${month(at)} ${at.year} at ${twelve(at)}:${two(at.minute)} ${half(at).toLowerCase()}`,
  ],
];

function understood(cell: string, order: DateOrder | undefined): When {
  const read = readWhen(cell, order);
  if ("code" in read) throw new Error(`${cell}: ${read.message}`);
  return read;
}

test("a cell keeps its form", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMS),
      moment,
      moment,
      fc.array(moment, { maxLength: 4 }),
      ([order, form], from, to, others) => {
        // A day and an hour under 10, so that the column shows whether it writes leading zeros.
        const siblings = [...others.map(form), form({ ...from, month: 2, day: 3, hour: 4 })];
        const [before, after] = [form(from), form(to)];
        const written = rewriteWhen(before, {
          before: understood(before, order),
          after: understood(after, order),
          siblings,
          read: (cell) => readWhen(cell, order),
        });
        expect(written).toBe(after);
      },
    ),
    { numRuns: 400 },
  );
});

function rewritten(cell: string, to: string, order?: DateOrder, siblings: string[] = []): string | undefined {
  return rewriteWhen(cell, {
    before: understood(cell, order),
    after: understood(to, order),
    siblings,
    read: (text) => readWhen(text, order),
  });
}

test.each([
  ["8pm", "20:30", "8:30pm"],
  ["20h", "21:15", "21h15"],
  ["20 Uhr", "21:30", "21:30 Uhr"],
  ["noon", "13:00", "13:00"],
  ["9:00 a.m.", "21:05", "9:05 p.m."],
  ["09:00:15", "10:00:00", "10:00:00"],
  ["09:00 (GMT+1)", "10:30+02:00", "10:30 (GMT+2)"],
  ["Mar 3, 2036", "2036-05-04", "May 4, 2036"],
  ["3 May 2036", "2036-06-04", "4 June 2036"],
  ["lun. 3 mars 2036", "2036-04-01", "mar. 1 avril 2036"],
  // "nd" is also a Polish Sunday, and 2 March 2036 is a Sunday.
  ["March 2nd, 2036", "2036-05-01", "May 1st, 2036"],
  ["1er mars 2036", "2036-04-02", "2 avril 2036"],
  ["segunda-feira, 3 de março de 2036", "2036-03-08", "sábado, 8 de março de 2036"],
  [" 2036-03-03 ", "2036-03-04", " 2036-03-04 "],
  ["2036年5月3日(土)", "2036-06-10", "2036年6月10日(火)"],
  ["２０３６年５月９日", "2036-05-10", "２０３６年５月１０日"],
  ["9時30分", "10:45", "10時45分"],
  ["18時", "18:30", "18時30分"],
  ["الاثنين، ٥ مايو ٢٠٣٦", "2036-05-13", "الثلاثاء، ١٣ مايو ٢٠٣٦"],
  ["٣ مايو ٢٠٣٦", "2036-06-04", "٤ يونيو ٢٠٣٦"],
  ["١٠:٣٠ ص", "11:15", "١١:١٥ ص"],
])("writes %j as %s: %j", (cell, to, after) => {
  expect(rewritten(cell, to)).toBe(after);
});

test("takes leading zeros of a day from other days, not from minutes", () => {
  const siblings = ["12 January 2036 at 12:05 am"];
  expect(rewritten("28 January 2036 at 8:00 am", "2036-01-02 8:00", undefined, siblings)).toBe(
    "2 January 2036 at 8:00 am",
  );
});

test("refuses a value that the cell's form cannot express, and a date that would have two meanings", () => {
  expect(rewritten("28/3/2036", "2036-03-05")).toBeUndefined();
  expect(rewritten("28/3/2036", "2036-03-05", "dmy")).toBe("5/3/2036");
  expect(rewritten("午後6時半", "19:45")).toBeUndefined();
});
