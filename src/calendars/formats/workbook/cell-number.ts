/**
 * A spreadsheet's numbers as people see them, by their number format: dates, times and percentages. And the reverse: the
 * numbers for dates and times.
 */

import { twoDigits } from "../../../model/text.ts";

/** Digits that a spreadsheet keeps of a number. Further digits are noise of binary fractions, as in 0.1 + 0.2. */
const SIGNIFICANT_DIGITS = 15;

/**
 * The text of a number cell: a date or time in ISO form if its format is one, otherwise the number as a spreadsheet
 * shows it. Ids keep all their digits.
 */
export function numberText(value: number, format: NumberFormat, system: DateSystem): string {
  switch (format.kind) {
    case "general":
      return plainNumber(value);
    case "padded":
      return Number.isInteger(value) && value >= 0
        ? plainNumber(value).padStart(format.digits, "0")
        : plainNumber(value);
    default:
      return serialText(value, format.kind, system) ?? plainNumber(value);
  }
}

/** The day from which a workbook counts. */
export type DateSystem = "1900" | "1904";

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS))).replace("e", "E");
}

export type NumberFormat =
  | { readonly kind: "general" }
  /** A calendar day, a time of day, both, or hours that may be more than a day has. */
  | { readonly kind: "date" | "time" | "datetime" | "duration" }
  /** Whole numbers with leading zeros, such as ids: `0000`. */
  | { readonly kind: "padded"; readonly digits: number };

export const GENERAL: NumberFormat = { kind: "general" };

/** Built-in formats, which a workbook does not write down. Those from 27 on are from East Asian Excels. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: "date" | "time" | "datetime"])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "datetime"],
  [27, 31, "date"],
  [32, 35, "time"],
  [36, 36, "date"],
  [45, 45, "time"],
  [47, 47, "time"],
  [50, 54, "date"],
  [55, 56, "time"],
  [57, 58, "date"],
];

/** A format by its id, if it is built in. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: "duration" };
  const found = BUILT_IN.find(([from, to]) => id >= from && id <= to);
  return found === undefined ? GENERAL : { kind: found[2] };
}

/** Parts of a format without a meaning for dates: quoted text, escaped and padding characters, the word General. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|general/gi;
/** Colours, conditions and locales, such as `[Red]`, `[>1]` and `[$-409]`. Not `[h]`, which counts hours beyond 24. */
const BRACKETS = /\[(?!(?:h+|m+|s+)\])[^[\]]*\]/gi;

/** Reads a format such as `dd/mm/yyyy hh:mm`. */
export function parseFormat(code: string): NumberFormat {
  // The first section is for positive numbers, and all times are positive.
  const [section = ""] = code.replaceAll(LITERALS, "").replaceAll(BRACKETS, "").split(";");
  const letters = section.toLowerCase();
  if (/\[[hms]+\]/.test(letters)) return { kind: "duration" };
  // In a number, `e` is an exponent. In a date it is a year, as are `g` and `b` in Japan and Thailand.
  const hasTime = /[hs]|am\/pm|a\/p/.test(letters);
  const hasDate = /[ydgb]|e(?![+-])/.test(letters) || (letters.includes("m") && !hasTime);
  if (hasDate) return { kind: hasTime ? "datetime" : "date" };
  if (hasTime) return { kind: "time" };
  return /^0{2,}$/.test(letters) ? { kind: "padded", digits: letters.length } : GENERAL;
}

// Binary fractions of a day are not exact, so times are rounded to the second: 02:30 must not become 02:29:59.999.

const DAY_SECONDS = 86_400;
/** The last day that a spreadsheet knows, 9999-12-31. */
const LAST_DAY = 2_958_465;
/** Day 0 of each system. For 1900, it is 30 December 1899, which is right for all days from March 1900 on. */
const DAY_ZERO = { "1900": Date.UTC(1899, 11, 30), "1904": Date.UTC(1904, 0, 1) } as const;
/** Excel counts 29 February 1900, a day that never existed, for compatibility with Lotus 1-2-3. */
const FALSE_LEAP_DAY = 60;

export type ShownAs = "date" | "time" | "datetime" | "duration";

/**
 * `2027-03-01`, `20:30` or `2027-03-01 20:30`, as the cell's format shows it, with seconds if there are any. Undefined
 * for a number that is not a day. Less than a day is a time in any format.
 */
export function serialText(serial: number, shown: ShownAs, system: "1900" | "1904"): string | undefined {
  const total = Math.round(serial * DAY_SECONDS);
  const day = Math.floor(total / DAY_SECONDS);
  if (day < 0 || day > LAST_DAY) return undefined;
  if (shown === "duration") return clockText(total);
  const seconds = total - day * DAY_SECONDS;
  return day === 0 ? clockText(seconds) : shownText(dayText(day, system), seconds, shown);
}

function shownText(date: string, seconds: number, shown: ShownAs): string {
  if (shown === "date") return date;
  return shown === "datetime" ? `${date} ${clockText(seconds)}` : clockText(seconds);
}

function dayText(day: number, system: "1900" | "1904"): string {
  if (system === "1900" && day === FALSE_LEAP_DAY) return "1900-02-29";
  const late = system === "1900" && day < FALSE_LEAP_DAY ? 1 : 0;
  return isoDay(DAY_ZERO[system] + (day + late) * DAY_SECONDS * 1000);
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `09:30`, or `09:30:15`; hours continue beyond a day. */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map(twoDigits);
  return `${hours}:${minutes}${rest === "00" ? "" : `:${rest}`}`;
}

const ISO = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:T?(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?Z?$/;

/**
 * The text of a cell whose date is ISO text in the file. Without a format, it has the parts of the ISO text.
 * Undefined for other text. A year before 1900 means that there is only a time: programs write times in this way.
 */
export function isoDateText(iso: string, shown: ShownAs | undefined): string | undefined {
  const [, year, month, day, hours, minutes = "0", seconds = "0"] = ISO.exec(iso) ?? [];
  if (year === undefined && hours === undefined) return undefined;
  const clock = Math.round(Number(hours ?? "0") * 3600 + Number(minutes) * 60 + Number(seconds));
  if (year === undefined || Number(year) < 1900) return clockText(clock);
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (isoDay(midnight) !== `${year}-${month}-${day}`) return undefined;
  // A fraction of the last second may round up to the next day.
  const late = Math.floor(clock / DAY_SECONDS) * DAY_SECONDS;
  const format = shown ?? (hours === undefined ? "date" : "datetime");
  return shownText(isoDay(midnight + late * 1000), clock - late, format);
}

// The reverse: dates and times as a workbook stores them.

const SHOWN = /^(?:(\d{4})-(\d\d)-(\d\d))?\s?(?:(\d{1,4}):(\d\d)(?::(\d\d))?)?$/;

/**
 * The number for a date or time as this file shows it, such as `2027-03-01 20:30`. Keeps the parts of `before` that
 * the text lacks, such as the time of day in a cell that shows only the date. Undefined for any other text.
 */
export function serialOf(shown: string, before: number, system: DateSystem): number | undefined {
  const [, year, month, day, hours, minutes, seconds = "0"] = SHOWN.exec(shown) ?? [];
  if (!Number.isFinite(before) || (year === undefined && hours === undefined)) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const days = year === undefined ? Math.floor(before) : (midnight - DAY_ZERO[system]) / (DAY_SECONDS * 1000);
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return days + (hours === undefined ? before - Math.floor(before) : clock / DAY_SECONDS);
}

/** The ISO text for a date or time as this file shows it, with the parts that `before` has. */
export function isoLike(shown: string, before: string): string | undefined {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)?\s?(\d\d:\d\d(?::\d\d)?)?$/.exec(shown) ?? [];
  const [, oldDay, oldClock, end = ""] =
    /^(\d{4}-\d\d-\d\d)?(?:T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z?)$/.exec(before) ?? [];
  if (day === undefined && clock === undefined) return undefined;
  const newDay = day ?? oldDay;
  const time = clock === undefined ? oldClock : clock.length === 5 ? `${clock}:00` : clock;
  return (newDay ?? "") + (time === undefined ? "" : `${newDay === undefined ? "" : "T"}${time}`) + end;
}
