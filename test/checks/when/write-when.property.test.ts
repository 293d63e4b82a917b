/** Any day and time, written into a cell: a form of numbers stays, and any other becomes ISO. */

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
const twelve = ({ hour }: Moment): number => hour % 12 || 12;
const half = ({ hour }: Moment): string => (hour < 12 ? "AM" : "PM");
type Form = (at: Moment) => string;

const day4 = ({ year, month, day }: Moment): string => `${year}-${two(month)}-${two(day)}`;
const clock = ({ hour, minute }: Moment): string => `${two(hour)}:${two(minute)}`;

/** Forms of numbers, which a cell keeps. */
const FORMS: readonly (readonly [DateOrder | undefined, Form])[] = [
  [undefined, day4],
  ["dmy", ({ year, month, day }) => `${two(day)}.${two(month)}.${year}`],
  ["mdy", ({ year, month, day }) => `${two(month)}-${two(day)}-${String(year).slice(2)}`],
  [undefined, clock],
  [undefined, (at) => `${clock(at)}:00`],
  [undefined, (at) => `${day4(at)} ${clock(at)}`],
  [undefined, (at) => `${day4(at)}T${clock(at)}:00Z`],
  [undefined, (at) => `${day4(at)}T${clock(at)}:00-05:00`],
  [undefined, (at) => `${day4(at)}T${clock(at)}:00+0530`],
];

function understood(cell: string, order: DateOrder | undefined): When {
  const read = readWhen(cell, order);
  if ("code" in read) throw new Error(`${cell}: ${read.message}`);
  return read;
}

function rewritten(cell: string, to: string, order?: DateOrder): string | undefined {
  return rewriteWhen(cell, {
    before: understood(cell, order),
    after: understood(to, order),
    read: (text) => readWhen(text, order),
  });
}

test("a cell of numbers keeps its form", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FORMS), moment, moment, ([order, form], from, to) => {
      expect(rewritten(form(from), form(to), order)).toBe(form(to));
    }),
    { numRuns: 400 },
  );
});

/** Forms with words or with numbers of any length: only the meaning is certain. */
const OTHERS: readonly (readonly [DateOrder | undefined, Form])[] = [
  [undefined, (at) => `${two(twelve(at))}:${two(at.minute)}${half(at).toLowerCase()}`],
  ["dmy", ({ year, month, day }) => `${day}/${month}/${year}`],
  ["mdy", (at) => `${at.month}/${at.day}/${at.year} ${twelve(at)}:${two(at.minute)} ${half(at)}`],
  [undefined, ({ year, month, day }) => `${day} ${MONTHS[month - 1]} ${year}`],
  [undefined, ({ year, month, day, hour }) => `${day} ${MONTHS[month - 1]} ${year} at ${hour}h30`],
  [undefined, ({ year, month, day }) => `${year}年${month}月${day}日`],
];
const MONTHS = "January février März abril maggio junho Juli août September oktober November Dezember".split(
  " ",
);

test("a cell of any form gets exactly the new meaning", () => {
  fc.assert(
    fc.property(fc.constantFrom(...OTHERS), moment, moment, ([order, form], from, to) => {
      const written = rewritten(form(from), form(to), order);
      expect(written === undefined ? undefined : readWhen(written, order)).toEqual(readWhen(form(to), order));
    }),
    { numRuns: 400 },
  );
});

test.each([
  ["8:15 PM", "09:30", "9:30 AM"],
  ["9:00", "21:05", "21:05"],
  [" 2036-03-03 ", "2036-03-04", " 2036-03-04 "],
  ["09:00:15", "10:00:00", "10:00:00"],
  ["28/3/2036 9:00", "2036-05-04 10:15", "4/5/2036 10:15"],
])("keeps the form of %j for %s: %j", (cell, to, after) => {
  expect(rewritten(cell, to, "dmy")).toBe(after);
});

test.each([
  ["8pm", "20:30", "20:30"],
  ["20 Uhr", "21:30", "21:30"],
  ["noon", "13:00", "13:00"],
  ["午後6時半", "19:45", "19:45"],
  ["09:00 (GMT+1)", "10:30+02:00", "10:30+02:00"],
  ["Mar 3, 2036", "2036-05-04", "2036-05-04"],
  ["lun. 3 mars 2036", "2036-04-01", "2036-04-01"],
  ["٣ مايو ٢٠٣٦", "2036-06-04", "2036-06-04"],
  ["3 May 2036 at 9am", "2036-06-04 10:00", "2036-06-04 10:00"],
  // In the form of the cell, this day would have two meanings.
  ["28/3/2036", "2036-03-05", "2036-03-05"],
])("writes %j as ISO for %s: %j", (cell, to, after) => {
  expect(rewritten(cell, to)).toBe(after);
});
