/**
 * Reads a cell with a day, a time of day, or both. People type these in many ways. An ambiguous cell is refused until
 * the project says which meaning is right. If a cell cannot be read, explains what to write. Pure.
 */

import { type DateOrder, ORDER_NAMES } from "../../model/fields.ts";
import { tidyName } from "../../model/text.ts";
import type { Code } from "../../problems/catalogue.ts";
import {
  BEFORE_TIME,
  type ClockTime,
  type Day,
  type DayReading,
  ENGLISH_MONTHS,
  ENGLISH_WEEKDAYS,
  clockTime,
  couldBeSpan,
  dayReadings,
  inLatinForm,
  isExistingDay,
  isOnClock,
  monthNamed,
  sameDay,
  weekdayBesideDate,
  weekdayNamed,
  weekdayOf,
  withoutAccents,
} from "./written-forms.ts";

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
const SEPARATOR = new RegExp(
  `,?\\s(?:${BEFORE_TIME})\\s|(?<=\\d)t(?=\\d)|\\s?[,;@|]\\s?|\\s[-–—]\\s|\\s`,
  "g",
);

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
  const bare = withoutAccents(text).replace(ARTICLE, "");
  const readings = dayReadings(bare);
  if (readings !== undefined) return { readings, weekday: undefined };
  const [, first = "", after = ""] = LEADING_WEEKDAY.exec(bare) ?? [];
  const leading = weekdayBesideDate(first);
  const rest = leading === undefined ? undefined : dayReadings(after.replace(ARTICLE, ""));
  if (rest !== undefined) return { readings: rest, weekday: leading };
  const [, before = "", last = ""] = TRAILING_WEEKDAY.exec(bare) ?? [];
  const trailing = weekdayBesideDate(last);
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

// Why a text is not a time to publish, for common mistakes.

const DATE_FORM = "Write it as 2027-03-01.";
const WHOLE_FORM = "Write 2027-03-01 09:30.";

const NO_DATE_YET =
  /^(?:tbd|tbc|tba|n\/?a|none|pending|x+|à définir|offen|por definir|a definir|da definire|nnb)[.?!]*$|^[?\-–—.][?\-–—.!]*$/;
const RELATIVE_DAY = /^[td]\s?[+-]\s?\d/;
const NO_FIXED_DAY =
  /(?<!\p{L})(?:now|asap|today|tomorrow|tonight|next|every|daily|weekly|monthly|queue|aujourd'hui|demain|heute|morgen|hoy|mañana|oggi|domani|hoje|amanhã|vandaag)(?!\p{L})/u;
const SERIAL_DAY = /^\d{5}(?:[.,]\d+)?$/;
const SERIAL_TIME = /^0?[.,]\d+$/;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const BARE_NUMBER = /^\d{3,4}$/;
const WEEK_OR_QUARTER = /^(?:kw|cw|wk?|week|woche|semaine|semana|settimana)\.?\s?\d|^\d{4}-?w\d|^q[1-4]\b/;
const DOTTED = /^\d{1,2}\.\d\d$/;
const NUMBERS_WITHOUT_DAY = /^\d{1,2}[-/.]\d{4}$|^\d{4}[-/.]\d{1,2}$/;
const NUMBERS_WITHOUT_YEAR = /^\d{1,2}[-/.]\d{1,2}\.?$/;
const MONTH_WITHOUT_DAY = /^(\p{L}+)\.?,?\s?(?:de\s)?\d{4}$|^\d{4}\s(\p{L}+)$|^(\p{L}+)$/u;
const DAY_BEFORE_MONTH = /^(?:\p{L}+\.?,?\s)?\d{1,2}\p{L}{0,2}\.?\s?(?:of\s|de\s)?(\p{L}+)\.?$/u;
const DAY_AFTER_MONTH = /^(?:\p{L}+\.?,?\s)?(\p{L}+)\.?\s?\d{1,2}(?:st|nd|rd|th|\.)?$/u;
/** 8–14 June, Jun 8-14, 8 to 14 June, 10:00 - 12:00, 9am-11am, 5.1.2027-7.1.2027 */
const SPANS: readonly RegExp[] = [
  /\d\s?(?:am|pm)?(?:\s?[–—]|\s-)\s?\p{L}*\.?\s?\d/u,
  /\d\s(?:to|until|till|bis|au|al|hasta|até|tot|t\/m)\s/,
  /^\p{L}+\.?\s?\d{1,2}-\d{1,2}\b|^\d{1,2}-\d{1,2}\.?\s?\p{L}/u,
  /\d(?::\d\d)?\s?(?:am|pm|h|uhr)?-\d{1,2}(?::\d\d)?\s?(?:am|pm|h|uhr)?$/,
  /\d\D{0,40}(?:→|->)\s?\D{0,40}\d/,
  /^[^/]*\/[^-]*-[^/]*\/|\d{4}\s?-\s?\d{1,2}[./]/,
];
const CLOCK_SOMEWHERE = /\d(?::\d\d|\s?[ap]\.?m)/;
const ENDS_IN_WORDS =
  /[\s\d(](?:[a-z]{2,5}|[a-z]+\/[a-z_]+|(?:utc|gmt)\s?[+-]\s?\d+(?::\d\d)?|[a-z]+ time)\)?$/;

/** The first match counts. */
const REASONS: readonly { readonly fits: (text: string) => boolean; readonly why: string }[] = [
  {
    fits: (text) => NO_DATE_YET.test(text),
    why: "is not a date. Fill in the date, or set the row's status to draft until you know it.",
  },
  {
    fits: (text) => RELATIVE_DAY.test(text),
    why: `depends on another day, and plancast does not know which. ${DATE_FORM}`,
  },
  { fits: (text) => NO_FIXED_DAY.test(text), why: `is not a fixed day and time. ${WHOLE_FORM}` },
  {
    fits: (text) => SERIAL_DAY.test(text),
    why: "is a spreadsheet's number for a day. Format the column as a date, such as 2027-03-01 09:30, and save the file again.",
  },
  {
    fits: (text) => SERIAL_TIME.test(text),
    why: "is a spreadsheet's number for a time of day. Format the column as a time, such as 09:30, and save the file again.",
  },
  { fits: (text) => EPOCH.test(text), why: `is a number of seconds or milliseconds. ${WHOLE_FORM}` },
  {
    fits: (text) => BARE_NUMBER.test(text),
    why: "could be a time or a year. Write a time as 09:30, and a date as 2027-03-01.",
  },
  { fits: (text) => WEEK_OR_QUARTER.test(text), why: `is not a single day. ${DATE_FORM}` },
  {
    fits: (text) => DOTTED.test(text),
    why: "could be a time, or a day without a year. Write a time as 09:30, and a date as 2027-03-01.",
  },
  {
    fits: (text) => weekdayNamed(text) !== undefined && monthNamed(text) === undefined,
    why: `is a day of the week, not a date. ${DATE_FORM}`,
  },
  {
    fits: (text) => NUMBERS_WITHOUT_DAY.test(text) || namesMonth(text, MONTH_WITHOUT_DAY),
    why: `has no day. ${DATE_FORM}`,
  },
  {
    fits: (text) =>
      NUMBERS_WITHOUT_YEAR.test(text) ||
      namesMonth(text, DAY_BEFORE_MONTH) ||
      namesMonth(text, DAY_AFTER_MONTH),
    why: "has no year. Write it as 2027-03-01, with the year.",
  },
  {
    fits: (text) => SPANS.some((pattern) => pattern.test(text)),
    why: "looks like a range, but a post has one time. Write it like 2027-03-01 09:30.",
  },
  {
    fits: (text) => CLOCK_SOMEWHERE.test(text) && ENDS_IN_WORDS.test(text),
    why: "ends with a time zone or a word that plancast does not know. Put an IANA name such as Europe/Paris into a `timezone` column, or write the offset: 2027-03-01T09:30+01:00.",
  },
];

/** The message for a text without any known form. */
const UNKNOWN =
  "is not a date or time that plancast can read. Write 2027-03-01 09:30 (a local time), " +
  "or 2027-03-01T08:30:00Z or 2027-03-01T09:30:00+01:00 (an exact one).";

/**
 * The rest of a sentence that begins with the text: why it cannot be read, and what to write instead.
 * @param text in lower case, tidied
 */
function explainUnreadable(text: string): string {
  return REASONS.find(({ fits }) => fits(text))?.why ?? UNKNOWN;
}

function namesMonth(text: string, pattern: RegExp): boolean {
  const names = pattern.exec(text)?.slice(1) ?? [];
  return names.some((name) => name !== undefined && monthNamed(name) !== undefined);
}

const TIME_FORM = "Write it as 09:30.";

/** Like `REASONS`, for a text in a column of times. The first match counts. */
const TIME_REASONS: readonly { readonly fits: RegExp; readonly why: string | ((text: string) => string) }[] =
  [
    {
      fits: /^\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]m|uhr|h)?\s?(?:-|–|—|to|bis|à|a)\s?\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]m|uhr|h)?$/,
      why: `looks like a range, but a post has one time. ${TIME_FORM}`,
    },
    {
      fits: /^(?:0?[1-9]|1[01])$/,
      why: (text) =>
        `could be in the morning or in the evening. Write it as ${text.padStart(2, "0")}:00, or ${Number(text) + 12}:00 for the evening.`,
    },
    {
      fits: /^(?:00?|1[2-9]|2[0-3])$/,
      why: (text) => `has no minutes. Write it as ${text.padStart(2, "0")}:00.`,
    },
    {
      fits: /^(?!0[.,])\d{1,2}[.,]\d$/,
      why: `has one digit for the minutes, so they are not clear. ${TIME_FORM}`,
    },
    { fits: /^\d{3,4}$/, why: `has no sign between hours and minutes. ${TIME_FORM}` },
    {
      fits: /\d(?::\d\d|\s?[ap]m).{0,80}\p{L}/u,
      why: "ends with a time zone or a word that plancast does not know. Put the zone into a `timezone` column, such as Europe/Paris, and only the time here, as in 09:30.",
    },
    { fits: /^(?!0?[.,])\d{1,2}(?:[.,]\d{2,})?$|^[^\d]+$/, why: `is not a time of day. ${TIME_FORM}` },
  ];

/** What to write instead of a text in a column of times; undefined if it is more than a time. @param text in lower case, tidied */
export function explainUnreadableTime(text: string): string | undefined {
  if (NO_DATE_YET.test(text))
    return "is not a time of day. Fill in the time, or set the row's status to draft until you know it.";
  const why = TIME_REASONS.find(({ fits }) => fits.test(text))?.why;
  return typeof why === "function" ? why(text) : why;
}
