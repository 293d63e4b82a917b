/**
 * What the dates and times of a calendar show only together. They show the order of day and month, or that a spreadsheet
 * has swapped the two, or that times lack am or pm. plancast suggests the order in messages, and never uses it silently.
 */

import type { DateOrder } from "../../model/fields.ts";
import { type Position, type Problem, linePlace, problem } from "../../model/problem.ts";
import type { Cell, RawRow } from "../../model/row.ts";
import { rowsText, tidyName, twoDigits } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { type Day, type DayReading, ENGLISH_MONTHS, dayReadings, isExistingDay } from "./written-forms.ts";

/** For each order, the first cell that can be read only in that order. */
type DateOrderExamples = Map<DateOrder, { readonly line: number; readonly text: string }>;

/** Looks at one more cell. */
function noteDateOrder(found: DateOrderExamples, cell: string, line: number): void {
  const order = onlyDateOrder(cell);
  if (order !== undefined && !found.has(order)) found.set(order, { line, text: cell.trim() });
}

export class DateOrderHint {
  readonly #calendar: Calendar;
  #hint: string | undefined;
  #examples: DateOrderExamples | undefined;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /**
   * The order of the dates that have only one possible order. Undefined if there are no dates of this kind, or their
   * orders differ.
   */
  order(): DateOrder | undefined {
    const [order, ...others] = this.#seen().keys();
    return others.length === 0 ? order : undefined;
  }

  /** A sentence to add to a message, with a space in front; empty if nothing is known. */
  text(): string {
    const { rows } = this.#calendar;
    this.#hint ??= hintOf(this.#seen(), linePlace(rows[0]?.at() ?? {}));
    return this.#hint;
  }

  /** Whether a date can only be in a different order than day, month, year. */
  hasOtherOrder(): boolean {
    return this.#seen().has("mdy") || this.#seen().has("ymd");
  }

  #seen(): DateOrderExamples {
    this.#examples ??= dateOrderExamples(this.#calendar.rows);
    return this.#examples;
  }
}

export function dateOrderExamples(rows: readonly RawRow[]): DateOrderExamples {
  const found: DateOrderExamples = new Map();
  for (const row of rows) {
    for (const cell of [row.cells.scheduled_at, row.cells.date]) {
      if (typeof cell === "string") noteDateOrder(found, cell, row.line);
    }
  }
  return found;
}

function hintOf(found: DateOrderExamples, place: string): string {
  const examples = [...found].map(
    ([order, { line, text }]) => `"${text}" ${place} ${line} can only be ${order}`,
  );
  if (examples.length === 0) return "";
  const so = examples.length === 1 ? "" : ", so the dates in this file do not all have the same order";
  return ` ${examples.join(", ")}${so}.`;
}

/** The text after a day of the week: `07.05.2036` in `Mi., 07.05.2036`. */
export function withoutWeekday(text: string): string {
  return text.replace(/^\s*\p{L}+(?:-feira)?\.?\s?,?\s(?=\d)/u, "");
}

/** People who write dots between numbers put the day first. A short year may also be in front. */
export function isDotted(text: string): boolean {
  return /^\s*\d{1,2}\.\s?\d{1,2}\.\s?\d{4}(?!\d)/.test(withoutWeekday(text));
}

/** A numeric date at the start of a cell. */
const NUMBERS = /^\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2,4}(?!\d)/;

/** A date that is only numbers. */
interface NumericDate {
  /** The days that it can mean. */
  readonly readings: readonly DayReading[];
  /** The only possible order; undefined if several are possible. */
  readonly order: DateOrder | undefined;
}

/** The numeric date at the start of a cell; undefined if there is none, or it is not a day in any order. */
function numericDate(cell: string): NumericDate | undefined {
  const [date] = NUMBERS.exec(withoutWeekday(tidyName(cell))) ?? [];
  if (date === undefined) return undefined;
  const readings = (dayReadings(date) ?? []).filter(isExistingDay);
  if (readings.length === 0) return undefined;
  return { readings, order: readings.length === 1 ? readings[0]?.orders?.[0] : undefined };
}

/** The only possible order of a cell; undefined if several or none are possible. */
function onlyDateOrder(cell: string): DateOrder | undefined {
  return numericDate(cell)?.order;
}

/** A real date of a spreadsheet, as the readers of workbooks and most converters write it. */
const REAL_DATE = /^\s*(\d{4})-(\d\d)-(\d\d)(?![\d-])/;

/** The largest number of a day that can also be a month. */
const LAST_MONTH = 12;

/** Longest list of cells in the message. */
const MAX_NAMED = 8;

interface TextDate extends NumericDate {
  readonly kind: "text";
  readonly at: () => Position;
  readonly text: string;
}

interface RealDate extends Day {
  readonly kind: "real";
  readonly at: () => Position;
}

type DateCell = TextDate | RealDate;

/**
 * One problem for each column of dates in which a spreadsheet has probably swapped day and month. A spreadsheet that
 * expects the other order keeps `28/9/2036` as text, because there is no month 28, but reads `1/10/2036` as 10 January
 * and stores that date.
 */
export function mixedDateProblems(rows: readonly RawRow[]): Problem[] {
  return (["scheduled_at", "date"] as const).flatMap((field) => {
    // In most columns, all dates are real.
    if (!rows.some((row) => isOtherThanReal(row.cells[field]))) return [];
    const cells = rows.flatMap((row) => dateCell(row, field) ?? []);
    const texts = cells.filter((each) => each.kind === "text");
    const [first] = texts.filter(({ order }) => order !== undefined);
    const real = cells.filter((each) => each.kind === "real");
    if (first?.order === undefined || real.length === 0) return [];
    if (real.some(({ day }) => day > LAST_MONTH) || !isOneOrder(texts)) return [];
    const doubtful = real.filter(({ day, month }) => day !== month);
    if (doubtful.length === 0 || !isSuspicious(cells, texts, first)) return [];
    return [mixedDates(doubtful, first)];
  });
}

function isOtherThanReal(cell: Cell | undefined): boolean {
  return typeof cell === "string" && !REAL_DATE.test(cell);
}

function dateCell(row: RawRow, field: "scheduled_at" | "date"): DateCell | undefined {
  const cell = row.cells[field];
  if (typeof cell !== "string") return undefined;
  const at = (): Position => row.at(field);
  const [, year, month, day] = REAL_DATE.exec(cell) ?? [];
  if (year !== undefined) {
    const read = { year: Number(year), month: Number(month), day: Number(day) };
    return isExistingDay(read) ? { kind: "real", ...read, at } : undefined;
  }
  const read = numericDate(cell);
  return read === undefined ? undefined : { kind: "text", ...read, text: cell.trim(), at };
}

function isOneOrder(texts: readonly TextDate[]): boolean {
  return new Set(texts.flatMap(({ order }) => order ?? [])).size === 1;
}

/**
 * In a workbook, a swap leaves only texts with days over 12. In other files, or if some texts also have small days,
 * the cells are doubtful only if swapping them puts the rows in order.
 */
function isSuspicious(cells: readonly DateCell[], texts: readonly TextDate[], first: TextDate): boolean {
  const isWorkbook = first.at().cell !== undefined;
  if (isWorkbook && texts.every(({ order }) => order !== undefined)) return true;
  const { order } = first;
  const asTheyAre = cells.map((cell) => dayNumber(cell, order, false));
  const swapped = cells.map((cell) => dayNumber(cell, order, true));
  return isInOrder(swapped) && !isInOrder(asTheyAre);
}

/** A day as a number that sorts. */
function dayNumber(cell: DateCell, order: DateOrder | undefined, isSwapped: boolean): number {
  const day =
    cell.kind === "real" ? cell : cell.readings.find(({ orders }) => orders?.includes(order ?? "dmy"));
  if (day === undefined) return Number.NaN;
  const [month, date] = cell.kind === "real" && isSwapped ? [day.day, day.month] : [day.month, day.day];
  return (day.year * 100 + month) * 100 + date;
}

function isInOrder(days: readonly number[]): boolean {
  return days.every((day, index) => index === 0 || day >= (days[index - 1] ?? 0));
}

function mixedDates(doubtful: readonly RealDate[], text: TextDate): Problem {
  const [first] = doubtful;
  const { year = 0, month = 1, day = 1, at } = first ?? {};
  const message =
    `A spreadsheet may have swapped day and month ${placesOf(doubtful)}: no day there is over 12, ` +
    `while other dates of this column are text, such as "${text.text}" ${placesOf([text])}. ` +
    `${iso(year, month, day)} would then mean ${month} ${ENGLISH_MONTHS[day - 1]} ${year}. ` +
    `Check these cells, and write all dates of the column in one form, such as ${iso(year, day, month)}.`;
  return problem("schedule/mixed-dates", message, at?.());
}

/** `in Plan!B4, Plan!B5`, or `on lines 4, 5`. */
function placesOf(cells: readonly DateCell[]): string {
  const places = cells.slice(0, MAX_NAMED).map(({ at }) => at());
  const more = cells.length > places.length ? ` and ${cells.length - places.length} more` : "";
  const isSheet = places.every(({ cell }) => cell !== undefined);
  const names = places.map(({ cell, line }) => (isSheet ? cell : line)).join(", ") + more;
  return isSheet ? `in ${names}` : `on ${cells.length === 1 ? "line" : "lines"} ${names}`;
}

function iso(year: number, month: number, day: number): string {
  return [year, month, day].map(twoDigits).join("-");
}

/** The time at the end of a cell, with nothing that says its half of the day. */
const PLAIN_TIME = /(?:^|[\sT])(\d{1,2})[:.](\d\d)(?::\d\d)?\s*$/;

interface TimedRow {
  readonly row: RawRow;
  readonly field: "scheduled_at" | "time";
  readonly hour: string;
  readonly minute: string;
}

/**
 * One warning for a calendar with times at night, and with others in the morning, but none after 12:59. Many teams write
 * `9:00`, `12:30`, `3:00` for a day from morning to afternoon, and plancast reads `3:00` as three at night. A zero in
 * front is a sign of the 24-hour clock, except in a workbook, which writes all times so.
 */
export function halfDayProblems(rows: readonly RawRow[]): Problem[] {
  const timed: TimedRow[] = [];
  for (const row of rows) {
    const field = row.cells.time === undefined ? "scheduled_at" : "time";
    const cell = row.cells[field];
    if (typeof cell !== "string" || !cell.includes(":")) continue;
    const [, hour, minute = ""] = PLAIN_TIME.exec(cell) ?? [];
    const isOnDay = hour !== undefined && Number(hour) <= 12;
    const isClear = hour?.startsWith("0") === true && row.at(field).cell === undefined;
    if (!isOnDay || isClear) return [];
    timed.push({ row, field, hour, minute });
  }
  const atNight = timed.filter(({ hour }) => Number(hour) >= 1 && Number(hour) <= 5);
  const [first] = atNight;
  if (first === undefined || !timed.some(({ hour }) => Number(hour) >= 7)) return [];
  const { row, field, hour, minute } = first;
  const message =
    `plancast reads ${hour}:${minute} as a time at night (${rowsText(atNight.length)} with times from 1:00 to 5:59), because nothing says "pm". ` +
    `If you mean the afternoon, write ${Number(hour) + 12}:${minute} or ${Number(hour)}:${minute} pm.`;
  return [problem("schedule/half-day", message, row.at(field))];
}
