/**
 * The forms in which people write a day, as a table: a pattern, and its possible meanings. A text that matches has one
 * meaning or several; callers must not choose among several.
 */

import type { DateOrder } from "../../model/fields.ts";
import { english } from "../../settings/languages/english.ts";
import { LANGUAGES, wordsOf } from "../../settings/languages/languages.ts";

/** A calendar day. The result can be a day that does not exist. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A day that a text may mean. */
export interface DayReading extends Day {
  /** The orders that give this meaning; absent if there is no choice. */
  readonly orders?: readonly DateOrder[];
}

interface DayForm {
  readonly pattern: RegExp;
  readonly read: (parts: readonly string[]) => readonly DayReading[];
}

/** 1, 1st, 1er, 1º, 1. and similar forms. */
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|ste|er|re|e|º|ª|°|\.)?`;
/** Names of two words come first, as in Arabic. */
const MONTH = String.raw`(${monthsOfSeveralWords().join("|")}|\p{L}{2,12})\.?`;
/** Between a day and a month, or a month and a year: `1 de marzo de 2027`, `5-Jan-2027`, `5th of January, 2027`. */
const LINK = String.raw`(?:\s*[\s\-/.,]\s*(?:(?:of|de|del|di|van)\s+)?|\s+d')`;

const YEAR_FIRST: readonly DateOrder[] = ["ymd"];

/** Patterns are for tidied text in lower case, without a day of the week. Numeric dates come first. */
const FORMS: readonly DayForm[] = [
  {
    // 2027-03-01, 2027/3/1, 2027.03.01: with the year first, the month is always second.
    pattern: /^(\d{4})(\s?[-/.]\s?)(\d{1,2})\2(\d{1,2})$/,
    read: ([year, , month, day]) => [dayOf(year, month, day)],
  },
  {
    // 20270301, a form of ISO 8601.
    pattern: /^((?:19|20|21)\d\d)(\d\d)(\d\d)$/,
    read: ([year, month, day]) => [dayOf(year, month, day)],
  },
  {
    // 19/9/2024, 05.01.2027, 9-19-2024
    pattern: /^(\d{1,2})(\s?[-/.]\s?)(\d{1,2})\2(\d{4})$/,
    read: ([one, , two, year]) => [
      { ...dayOf(year, two, one), orders: ["dmy"] },
      { ...dayOf(year, one, two), orders: ["mdy"] },
    ],
  },
  {
    // 9/19/24, 24-09-19
    pattern: /^(\d{1,2})(\s?[-/.]\s?)(\d{1,2})\2(\d\d)$/,
    read: ([one, , two, three]) => [
      { ...dayOf(three, two, one), orders: ["dmy"] },
      { ...dayOf(three, one, two), orders: ["mdy"] },
      ...(isShortYear(one) ? [{ ...dayOf(one, two, three), orders: YEAR_FIRST }] : []),
    ],
  },
  {
    // 5 January 2027, 1er mars 2027, 5. Januar 2027, 5 de enero de 2027, 05-Jan-27
    pattern: new RegExp(`^${DAY}${LINK}?${MONTH}${LINK}'?(\\d{4}|\\d\\d)$`, "u"),
    read: ([day, name, year]) => {
      const month = monthOf(name);
      const asWritten = dayOf(year, month, day);
      // 05-Jan-27 is the 5th for most people, and the 27th for those who put the year first.
      const isYearFirst = isShortYear(day) && isShortYear(year) && day !== year;
      if (!isYearFirst) return [asWritten];
      return [
        { ...asWritten, orders: ["dmy", "mdy"] },
        { ...dayOf(day, month, year), orders: YEAR_FIRST },
      ];
    },
  },
  {
    // January 5, 2027; Jan 05 2026; Jan-05-2026
    pattern: new RegExp(`^${MONTH}[\\s\\-/]?\\s?${DAY}(?:\\s?[,\\-/]\\s?|,?\\s)'?(\\d{4})$`, "u"),
    read: ([name, day, year]) => [dayOf(year, monthOf(name), day)],
  },
  {
    // Jan 5, 27. With a hyphen, it could be from the 5th to the 27th.
    pattern: new RegExp(`^${MONTH}\\s?${DAY}(?:\\s?,\\s?|\\s)'?(\\d\\d)$`, "u"),
    read: ([name, day, year]) => [dayOf(year, monthOf(name), day)],
  },
  {
    // 2027 January 5, 2027-Jan-05
    pattern: new RegExp(`^(\\d{4})[\\s\\-/.,]\\s?${MONTH}[\\s\\-/.,]\\s?${DAY}$`, "u"),
    read: ([year, name, day]) => [dayOf(year, monthOf(name), day)],
  },
];

/**
 * All days that a text may mean, including days that do not exist; undefined if it has no known form.
 * @param text in lower case, tidied, without a day of the week
 */
export function dayReadings(text: string): readonly DayReading[] | undefined {
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const readings = read(match.slice(1).map((part) => part ?? ""));
    if (readings.every(({ month }) => !Number.isNaN(month))) return readings;
  }
  return undefined;
}

/** A short year is in this century, and near: `98` could also mean 1998, so it is refused. */
function dayOf(year: string | undefined, month: string | number | undefined, day: string | undefined): Day {
  const short = year?.length === 2;
  const full = Number(year) + (short ? 2000 : 0);
  return { year: short && full > 2069 ? Number.NaN : full, month: Number(month), day: Number(day) };
}

function isShortYear(part: string | undefined): boolean {
  return part?.length === 2;
}

function monthsOfSeveralWords(): readonly string[] {
  return LANGUAGES.flatMap(({ months }) => months.flatMap(wordsOf)).filter((name) => name.includes(" "));
}

/** NaN for a word that is not a month. */
function monthOf(name: string | undefined): number {
  return monthNamed(name ?? "") ?? Number.NaN;
}

/** Whether the day exists. Years before 1970 are refused. */
export function isExistingDay({ year, month, day }: Day): boolean {
  if (!(year >= 1970) || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}

export function sameDay(one: Day, other: Day): boolean {
  return one.year === other.year && one.month === other.month && one.day === other.day;
}

// Months and days of the week as people write them, in all languages.

export const ENGLISH_MONTHS: readonly string[] = english.months.map(fullName);
export const ENGLISH_WEEKDAYS: readonly string[] = english.weekdays.map(fullName);

const MONTH_NUMBERS = numbers(LANGUAGES.map(({ months }) => months));
const WEEKDAY_NUMBERS = numbers(LANGUAGES.map(({ weekdays }) => weekdays));

/** The month with this name, from 1. Case, accents and a dot at the end do not count. */
export function monthNamed(word: string): number | undefined {
  return MONTH_NUMBERS.get(foldDateWord(word));
}

/** The day of the week with this name: 1 is Monday, 7 is Sunday. */
export function weekdayNamed(word: string): number | undefined {
  return WEEKDAY_NUMBERS.get(foldDateWord(word).replace(/-?feira$/, ""));
}

function numbers(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(
    lists.flatMap((list) =>
      list.flatMap((words, index) =>
        wordsOf(words).map((word): [string, number] => [foldDateWord(word), index + 1]),
      ),
    ),
  );
}

/** The form in which names of months and weekdays are compared: without case, accents and a dot at the end. */
export function foldDateWord(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replace(/\.$/, "");
}

/** The first word, with a capital. */
function fullName(words: string): string {
  const [word = ""] = wordsOf(words);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `2027-03-01` */
export function isoDay({ year, month, day }: Day): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
