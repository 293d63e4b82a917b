/**
 * Reads a cell with a day, a time of day, or both. People type these in many ways. An ambiguous cell is refused until
 * the project says which meaning is right. Pure.
 */

import { tidyName } from "../../model/text.ts";
import type { Code } from "../../problems/catalogue.ts";
import { type DateOrder, ORDER_NAMES } from "../../model/fields.ts";
import { type ClockTime, clockTime, couldBeSpan, isOnClock } from "./clock-forms.ts";
import {
  type Day,
  type DayReading,
  ENGLISH_MONTHS,
  ENGLISH_WEEKDAYS,
  dayReadings,
  isExistingDay,
  sameDay,
  weekdayNamed,
  weekdayOf,
} from "./day-forms.ts";
import { explainUnreadable } from "./explain-unreadable.ts";
import { inLatinForm } from "./latin-form.ts";

/** The meaning of a cell. */
export interface When {
  readonly day?: Day;
  readonly time?: ClockTime;
}

/** Why a cell cannot be read. The message begins with the cell's text and says what to do. */
interface WhenFault {
  readonly code: Code;
  readonly message: string;
}

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ Tt](\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/**
 * Reads a cell.
 * @param order the project's order for numeric dates; undefined if it is not set
 */
export function readWhen(cell: string, order: DateOrder | undefined): When | WhenFault {
  const plain = plainForm(cell);
  if (plain !== undefined) return plain;
  const shown = cell.replaceAll(/\s+/g, " ").trim();
  if (shown.length <= MAX_LENGTH) return readTidied(shown, order);
  return { code: "schedule/format", message: `"${shown.slice(0, MAX_LENGTH)}…" ${explainUnreadable("")}` };
}

/** Longest possible time, in UTF-16 units. */
const MAX_LENGTH = 80;

/** The plain forms, which nearly all cells have; undefined for all others. */
function plainForm(cell: string): When | undefined {
  const clock = CLOCK.exec(cell);
  if (clock !== null) return plainTime(clock[1], clock[2], clock[3]);
  const iso = ISO.exec(cell);
  if (iso === null) return undefined;
  const day = { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  if (!isExistingDay(day)) return undefined;
  if (iso[4] === undefined) return { day };
  const time = plainTime(iso[4], iso[5], iso[6])?.time;
  return time === undefined ? undefined : { day, time };
}

function plainTime(hour?: string, minute?: string, second?: string): When | undefined {
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) };
  return isOnClock(time) ? { time } : undefined;
}

function readTidied(cell: string, order: DateOrder | undefined): When | WhenFault {
  const text = inLatinForm(tidyName(cell).replace(/^'/, "").toLowerCase().replaceAll("’", "'"));
  const time = clockTime(text);
  if (time !== undefined) return checkTime(cell, time, couldBeSpan(text));
  const day = readDay(text);
  if (day !== undefined) {
    const chosen = chooseDay(cell, day.readings, day.weekday, order);
    return "code" in chosen ? chosen : { day: chosen };
  }
  return (
    readBoth(cell, text, order) ?? {
      code: "schedule/format",
      message: `"${cell}" ${explainUnreadable(text)}`,
    }
  );
}

/** Between a day and a time of day. */
const SEPARATOR =
  /,?\s(?:at|à|a las|a la|a|um|om|às|as|alle ore|alle|ore|kl|o godz\.?|godz\.?|o|الساعة)\s|(?<=\d)t(?=\d)|\s?[,;@|]\s?|\s[-–—]\s|\s/g;

function readBoth(cell: string, text: string, order: DateOrder | undefined): When | WhenFault | undefined {
  for (const joint of text.matchAll(SEPARATOR)) {
    const isJoinedByT = joint[0] === "t";
    const rest = text.slice(joint.index + joint[0].length);
    const time = clockTime(isJoinedByT ? withColons(rest) : rest);
    const day = time === undefined ? undefined : readDay(text.slice(0, joint.index));
    if (time === undefined || day === undefined) continue;
    const chosen = chooseDay(cell, day.readings, day.weekday, order);
    if ("code" in chosen) return chosen;
    const checked = checkTime(cell, time, !isJoinedByT && couldBeSpan(rest));
    return "code" in checked ? checked : { day: chosen, ...checked };
  }
  return undefined;
}

/** ISO 8601 has a form without colons, in which `T` precedes the time. */
function withColons(time: string): string {
  return time.replace(/^(\d\d)(\d\d)(\d\d)?(?!\d|:)/, (_, hour: string, minute: string, second?: string) =>
    [hour, minute, ...(second === undefined ? [] : [second])].join(":"),
  );
}

function checkTime(cell: string, time: ClockTime, isSpan: boolean): When | WhenFault {
  if (isSpan) {
    const message = `"${cell}" could be a time range or a time with an offset. Write one time, or an offset like 2027-03-01T09:30-05:00.`;
    return { code: "schedule/format", message };
  }
  if (isOnClock(time)) return { time };
  const hint =
    time.hour === 24 && time.minute === 0
      ? " Write 00:00 of the next day."
      : " Write it in the 24-hour clock, such as 09:30.";
  return { code: "schedule/format", message: `"${cell}" is not a time of day.${hint}` };
}

interface ReadDay {
  readonly readings: readonly DayReading[];
  /** The day of the week beside it: 1 is Monday. */
  readonly weekday: number | undefined;
}

const LEADING_WEEKDAY = /^(\p{L}+(?:-feira)?)\.?\s?,?\s(.+)$/u;
const TRAILING_WEEKDAY = /^(.+?)(?:,\s?|\s|(?=\())\(?(\p{L}+(?:-feira)?)\.?\)?$/u;
const ARTICLE = /^(?:the|on|den|der|am|le|el|il|lo|op)\s(?=\d)/;

/** The day that a text may mean, with or without the day of the week; undefined if it has no known form. */
function readDay(text: string): ReadDay | undefined {
  const bare = text.replace(ARTICLE, "");
  const readings = dayReadings(bare);
  if (readings !== undefined) return { readings, weekday: undefined };
  const [, first = "", after = ""] = LEADING_WEEKDAY.exec(bare) ?? [];
  const leading = weekdayNamed(first);
  const rest = leading === undefined ? undefined : dayReadings(after.replace(ARTICLE, ""));
  if (rest !== undefined) return { readings: rest, weekday: leading };
  const [, before = "", last = ""] = TRAILING_WEEKDAY.exec(bare) ?? [];
  const trailing = weekdayNamed(last);
  const start = trailing === undefined ? undefined : dayReadings(before);
  return start === undefined ? undefined : { readings: start, weekday: trailing };
}

/**
 * The only day that a cell can mean, or why there is none or more than one.
 * @param weekday the day of the week beside it
 * @param order the project's setting
 */
function chooseDay(
  cell: string,
  readings: readonly DayReading[],
  weekday: number | undefined,
  order: DateOrder | undefined,
): Day | WhenFault {
  const possible = readings.filter(isExistingDay);
  const [first] = possible;
  if (first === undefined) return { code: "schedule/format", message: `"${cell}" ${doesNotExist(readings)}` };
  if (order !== undefined && first.orders !== undefined) {
    const day = possible.find(({ orders }) => orders?.includes(order) === true);
    return day === undefined ? otherOrder(cell, order, first) : withWeekday(cell, day, weekday);
  }
  const isCertain = possible.every((each) => sameDay(each, first)) && !isYearFirst(possible);
  return isCertain ? withWeekday(cell, first, weekday) : ambiguous(cell, possible);
}

/** A year of two digits in front is so rare that it needs the project's setting. */
function isYearFirst(possible: readonly DayReading[]): boolean {
  return possible.every(({ orders }) => orders?.length === 1 && orders[0] === "ymd");
}

function doesNotExist(readings: readonly DayReading[]): string {
  const isShort = readings.some(({ year }) => Number.isNaN(year));
  return isShort
    ? "has a year with two digits, so the century is not clear. Write all four digits."
    : "is not a real date. Correct it.";
}

function otherOrder(cell: string, order: DateOrder, day: DayReading): WhenFault {
  const message =
    `"${cell}" does not fit \`date_order: ${order}\` (${ORDER_NAMES[order]}), but it could be ${dayText(day)}. ` +
    "Write it as 2027-03-01, or correct `date_order:`.";
  return { code: "schedule/date-order", message };
}

function ambiguous(cell: string, possible: readonly DayReading[]): WhenFault {
  const orders = [...new Set(possible.flatMap((each) => each.orders ?? []))];
  const days = possible.filter(
    (each, index) => possible.findIndex((other) => sameDay(each, other)) === index,
  );
  const message =
    `"${cell}" could be ${days.map(dayText).join(" or ")}. ` +
    `Set \`date_order:\` in plancast.yaml to the order that you use: ${orders.join(" or ")}.`;
  return { code: "schedule/ambiguous-date", message };
}

function withWeekday(cell: string, day: Day, weekday: number | undefined): Day | WhenFault {
  const actual = weekdayOf(day);
  if (weekday === undefined || weekday === actual) return { year: day.year, month: day.month, day: day.day };
  const [is, said] = [actual, weekday].map((each) => ENGLISH_WEEKDAYS[each - 1]);
  const message = `"${cell}" contradicts itself: ${dayText(day)} is a ${is}, not a ${said}. Correct the day or the date.`;
  return { code: "schedule/weekday", message };
}

function dayText({ year, month, day }: Day): string {
  return `${day} ${ENGLISH_MONTHS[month - 1]} ${year}`;
}
