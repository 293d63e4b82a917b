/**
 * The forms in which people write a day or a time of day, as tables of patterns and meanings. A time has one meaning.
 * A day has one or several; callers must not choose among several. Digits and signs of other scripts become Latin ones.
 */

import type { DateOrder } from "../../model/fields.ts";
import { twoDigits } from "../../model/text.ts";
import { DAY_PARTS, MONTHS, SHORT_WEEKDAYS, WEEKDAYS } from "./words-of-languages.ts";

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
const MONTH = String.raw`(${monthsOfSeveralWords().join("|")}|\p{L}{2,14})\.?`;
/** Between a day and a month, or a month and a year: `1 de marzo de 2027`, `5-Jan-2027`, `5th of January, 2027`. */
const LINK = String.raw`(?:\s*[\s\-/.,]\s*(?:(?:of|de|del|di|van)\s+)?|\s+d')`;

const YEAR_FIRST: readonly DateOrder[] = ["ymd"];

/** Patterns are for tidied text in lower case, without a day of the week. Numeric dates come first. */
const DAY_FORMS: readonly DayForm[] = [
  {
    // 2027-03-01, 2027/3/1, 2027.03.01: with the year first, the month is always second.
    pattern: /^(\d{4})(\s?[-/.]\s?)(\d{1,2})\2(\d{1,2})\.?$/,
    read: ([year, , month, day]) => [dayOf(year, month, day)],
  },
  {
    // 20270301, a form of ISO 8601.
    pattern: /^((?:19|20|21)\d\d)(\d\d)(\d\d)$/,
    read: ([year, month, day]) => [dayOf(year, month, day)],
  },
  {
    // 19/9/2024, 05.01.2027, 5. 1. 2027., 9-19-2024
    pattern: /^(\d{1,2})(\s?[-/.]\s?)(\d{1,2})\2(\d{4})\.?$/,
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
 * @param text in lower case, tidied, without accents and a day of the week
 */
export function dayReadings(text: string): readonly DayReading[] | undefined {
  for (const { pattern, read } of DAY_FORMS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const readings = read(match.slice(1).map((part) => part ?? ""));
    if (readings.every(({ month }) => !Number.isNaN(month))) return readings;
  }
  return undefined;
}

/** The last year in which a post may be due. A later year is often of another calendar: 2036 is 2092 in Nepal, and 2579 in Thailand. */
export const LAST_YEAR = 2069;

/** A short year is in this century, and near: `98` could also mean 1998, so it is refused. */
function dayOf(year: string | undefined, month: string | number | undefined, day: string | undefined): Day {
  const short = year?.length === 2;
  const full = Number(year) + (short ? 2000 : 0);
  return { year: short && full > LAST_YEAR ? Number.NaN : full, month: Number(month), day: Number(day) };
}

function isShortYear(part: string | undefined): boolean {
  return part?.length === 2;
}

function monthsOfSeveralWords(): readonly string[] {
  return MONTHS.flatMap((names) => names.split(", ")).filter((name) => name.includes(" "));
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

/** `2027-03-01` */
export function isoDay({ year, month, day }: Day): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

// Names of months and days of the week, in all languages.

export const ENGLISH_MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");
export const ENGLISH_WEEKDAYS: readonly string[] =
  "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

const MONTH_NUMBERS = numbers(MONTHS);
const WEEKDAY_NUMBERS = numbers(WEEKDAYS);
const SHORT_WEEKDAY_NUMBERS = numbers(SHORT_WEEKDAYS);

/** The month with this name, from 1. Case, accents and a dot at the end do not count. */
export function monthNamed(word: string): number | undefined {
  return MONTH_NUMBERS.get(foldDateWord(word));
}

/** The day of the week with this name: 1 is Monday, 7 is Sunday. */
export function weekdayNamed(word: string): number | undefined {
  return WEEKDAY_NUMBERS.get(foldDateWord(word).replace(/-?feira$/, ""));
}

/** The same for a word beside a date, which can also be an abbreviation. */
export function weekdayBesideDate(word: string): number | undefined {
  return weekdayNamed(word) ?? SHORT_WEEKDAY_NUMBERS.get(foldDateWord(word));
}

function numbers(lists: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    lists.flatMap((names, index) => names.split(", ").map((name) => [name, index + 1] as const)),
  );
}

/** The form in which these names are compared: without case, accents and a dot at the end. */
function foldDateWord(word: string): string {
  return withoutAccents(word).toLowerCase().replace(/\.$/, "");
}

export function withoutAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** A time on the 24-hour clock. The result can be a time that does not exist, such as 24:00. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** A time of day, and its offset from UTC in ms if it has one. */
export interface ClockTime extends TimeOfDay {
  readonly offsetMs?: number;
}

interface ClockForm {
  readonly pattern: RegExp;
  readonly read: (parts: readonly (string | undefined)[]) => ClockTime | undefined;
}

const HALF = "(am|pm)";
/** Words between a day and a time, or before a time: `kl. 9.30`. */
export const BEFORE_TIME =
  "at|à|a las|a la|a|um|om|às|as|alle ore|alle|ore|kl\\.?|klo|o godz\\.?|godz\\.?|o|الساعة";

/** Words that may follow 20:30 in German, Dutch, French, Spanish and English. */
const OCLOCK = "(?:\\s?(?:uhr|uur|hrs?|hs?))?";

/** Patterns are for text in lower case, tidied, with `am` and `pm` without dots. */
const CLOCK_FORMS: readonly ClockForm[] = [
  {
    // 20:30, 20:30:00, 20:30 Uhr
    pattern: new RegExp(`^(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d{1,9})?)?${OCLOCK}$`),
    read: ([hour, minute, second]) => timeOf(hour, minute, second),
  },
  {
    // 8:30 pm, 8:30:00pm, 8.30 pm, 8 pm, 8pm
    pattern: new RegExp(`^(\\d{1,2})(?:[:.](\\d\\d)(?::(\\d\\d))?)?\\s?${HALF}$`),
    read: ([hour, minute, second, half]) => {
      const twelfth = Number(hour);
      if (twelfth < 1 || twelfth > 12) return undefined;
      return timeOf((twelfth % 12) + (half === "pm" ? 12 : 0), minute, second);
    },
  },
  {
    // 20h30, 20 h 30, 20h, 20h30min
    pattern: /^(\d{1,2})\s?h(?:\s?(\d\d)(?:\s?(?:min|mn|m))?)?$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    // 20u30, as in Flanders
    pattern: /^(\d{1,2})\s?u\s?(\d\d)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    // 20 Uhr, 20.30 Uhr, 20 Uhr 30
    pattern: /^(\d{1,2})(?:\.(\d\d))?\s?(?:uhr|uur)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    pattern: /^(\d{1,2})\s?uhr\s?(\d\d)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    // kl. 9.30, um 18
    pattern: new RegExp(`^(?:${BEFORE_TIME})\\s?(\\d{1,2})(?:[.:](\\d\\d))?$`),
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    pattern: /^(?:12\s)?noon$/,
    read: () => timeOf(12),
  },
];

/** An exact offset in words: `(GMT+1)`, `UTC`, `UTC-03:30`. `GMT` without a number may mean London, even in summer. */
const ZONE_WORD = /\s?\(?(?:utc|(?:utc|gmt)\s?([+-])(\d{1,2})(?::?(\d\d))?)\)?$/;

/** `Z`, `+01:00`, `-0500`, `+01`. */
const OFFSET = /^(.*?)\s?(z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * The time of day in a text, with its offset; undefined if it has no known form.
 * @param text in lower case, tidied
 */
export function clockTime(text: string): ClockTime | undefined {
  const plain = plainTime(text);
  if (plain !== undefined) return plain;
  const [, time, offset] = OFFSET.exec(withOffset(text)) ?? [];
  if (time === undefined || offset === undefined) return undefined;
  const local = plainTime(time);
  const shift = offsetOf(offset);
  return local === undefined || shift === undefined ? undefined : { ...local, offsetMs: shift };
}

/** The text with the offset of a word for a zone in digits. */
function withOffset(text: string): string {
  const [word, ...parts] = ZONE_WORD.exec(text) ?? [];
  if (word === undefined) return text;
  const [sign = "+", hours = "0", minutes = "00"] = parts;
  return `${text.slice(0, -word.length)}${sign}${hours.padStart(2, "0")}:${minutes}`;
}

function plainTime(text: string): ClockTime | undefined {
  const plain = text.replace(/\s?\b([ap])\.\s?m\.?$|(?<=\d)\s?([ap])(?:\.\s?m\.?)?$/, "$1$2m");
  for (const { pattern, read } of CLOCK_FORMS) {
    const match = pattern.exec(plain);
    if (match !== null) return read(match.slice(1));
  }
  return timeOfPart(text);
}

/** A time with words before or after it. */
const WITH_WORDS = /^(\D{0,39}[^\d\s])?\s?(\d{1,2})(?:[:.h](\d\d)(?::(\d\d))?)?(?:\s?([^\d\s]\D{0,39}))?$/;

/** A time with a word for a part of the day, in any language: `9:00 du matin`, `6:30 μ.μ.`, `午後6:30`. */
function timeOfPart(text: string): ClockTime | undefined {
  const [, before = "", hour, minute, second, after = ""] = WITH_WORDS.exec(text) ?? [];
  const hours = before === "" || after === "" ? PART_HOURS.get(foldDateWord(before + after)) : undefined;
  if (hours === undefined) return undefined;
  const [found, ...others] = [Number(hour) % 12, (Number(hour) % 12) + 12].filter(
    (each) => isWithin(each, hours) && (Number(hour) <= 12 || each === Number(hour)),
  );
  return found === undefined || others.length > 0 ? undefined : timeOf(found, minute, second);
}

type Hours = readonly [from: number, to: number];

const PART_HOURS: ReadonlyMap<string, Hours> = new Map(
  DAY_PARTS.flatMap(([from, to, words]) =>
    words.split(", ").map((word): [string, Hours] => [word, [from, to]]),
  ),
);

/** Hours can go over midnight: from 20 to 3. */
function isWithin(hour: number, [from, to]: Hours): boolean {
  return from <= to ? from <= hour && hour <= to : hour >= from || hour <= to;
}

function timeOf(hour?: string | number, minute?: string, second?: string): ClockTime {
  return { hour: Number(hour), minute: Number(minute ?? 0), second: Number(second ?? 0) };
}

function offsetOf(text: string): number | undefined {
  if (text === "z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(":", "") || "0");
  if (hours > 18 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Whether the time exists on a clock. */
export function isOnClock({ hour, minute, second }: TimeOfDay): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

/** Whether a time with an offset may also be a range: `10:00-12:00`, or `9 - 11`. */
export function couldBeSpan(text: string): boolean {
  return /-\d\d(?::?\d\d)?$/.test(text) && !/:\d\d:\d\d/.test(text) && !ZONE_WORD.test(text);
}

/** `09:30`, with seconds if there are any. */
export function clockText({ hour, minute, second }: ClockTime): string {
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map(twoDigits).join(":");
}

// Digits and signs of other scripts.

const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;

/** The ten digits of a script follow each other. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** A text with Latin digits, each in its place. */
export function inLatinDigits(text: string): string {
  return text.replaceAll(OTHER_DIGIT, latinDigit);
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["，", ","],
  ["、", ","],
  ["،", ","],
  ["：", ":"],
  ["／", "/"],
  ["－", "-"],
  ["．", "."],
  ["（", "("],
  ["）", ")"],
  ["〜", "–"],
  ["～", "–"],
]);
const OTHER_SIGN = /[，、،：／－．（）〜～]/g;

const CHANGES: readonly (readonly [RegExp, string])[] = [
  // 2026年5月3日 18時, 2026년 5월 3일
  [/(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일](?=[\d\p{L}])/gu, "$1-$2-$3 "],
  [/(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/g, "$1-$2-$3"],
  // (日)18時
  [/\)(?=\d)/g, ") "],
  // 18時半, 18時30分, 18時
  [/(\d{1,2})\s?[時时點点시]\s?[半반]/g, "$1:30"],
  [/(\d{1,2})\s?[時时點点시]\s?(\d\d)\s?[分분]?/g, "$1:$2"],
  [/(\d{1,2})\s?[時时點点시]\s?(\d)\s?[分분]/g, "$1:0$2"],
  [/(\d{1,2})\s?[時时點点시]/g, "$1:00"],
  // 3 maja 2026 r.
  [/(?<=\p{L}\s\d{4})\s?r(?:\.|oku)?(?=$|[\s,])/gu, ""],
];

/**
 * Days and times in other scripts, in the forms that all languages share.
 * @param text in lower case, tidied
 */
export function inLatinForm(text: string): string {
  // Most texts need no change.
  if (!/[\u0250-\uffff]|\dr|\d r/.test(text)) return text;
  const plain = text.replace(OTHER_DIGIT, latinDigit).replace(OTHER_SIGN, (sign) => SIGNS.get(sign) ?? sign);
  return CHANGES.reduce((changed, [pattern, form]) => changed.replace(pattern, form), plain);
}
