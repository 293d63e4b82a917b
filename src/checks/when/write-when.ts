/**
 * Writes another day or time into a cell, in the cell's own form: order, separators, leading zeros, names of months and
 * weekdays, am and pm, offset. Everything else in the cell stays. Pure.
 */

import { twoDigits } from "../../model/text.ts";
import { LANGUAGES, wordsOf } from "../../settings/languages/languages.ts";
import {
  type ClockTime,
  type Day,
  foldDateWord,
  inLatinDigits,
  monthNamed,
  sameDay,
  weekdayNamed,
  weekdayOf,
} from "./written-forms.ts";
import type { When } from "./read-when.ts";

interface WhenWriting {
  /** What the cell means. */
  readonly before: When;
  /** What it must mean. It has a day or a time only if the cell has one. */
  readonly after: When;
  /** Other cells of the column, which show its form where the cell does not. */
  readonly siblings: readonly string[];
  /** Reads a cell of this column. */
  readonly read: (cell: string) => When | { readonly code: string };
}

/** The cell with another meaning; undefined if its form cannot say that. */
export function rewriteWhen(cell: string, { siblings, read, ...meaning }: WhenWriting): string | undefined {
  const { text, back } = inLatinDigits(cell);
  const written = rewriteLatin(text, {
    ...meaning,
    siblings: siblings.map((each) => inLatinDigits(each).text),
    read: (latin) => read(back(latin)),
  });
  return written === undefined ? undefined : back(written);
}

function rewriteLatin(cell: string, { before, after, siblings, read }: WhenWriting): string | undefined {
  const days = isDayChanged(before, after) ? dayChanges(cell, before.day, after.day, siblings) : [[]];
  const times = isTimeChanged(before, after) ? timeChanges(cell, before.time, after.time, siblings) : [[]];
  const offsets = before.time?.offsetMs === after.time?.offsetMs ? [[]] : [offsetChange(cell, after.time)];
  for (const day of days) {
    for (const time of times) {
      for (const offset of offsets) {
        const written = withChanges(cell, [...day, ...time, ...offset]);
        const meaning = written === undefined ? { code: "" } : read(written);
        if (!("code" in meaning) && isSame(meaning, after)) return written;
      }
    }
  }
  return undefined;
}

function isDayChanged(before: When, after: When): boolean {
  return before.day !== undefined && after.day !== undefined && !sameDay(before.day, after.day);
}

function isTimeChanged({ time: one }: When, { time: other }: When): boolean {
  return one?.hour !== other?.hour || one?.minute !== other?.minute || one?.second !== other?.second;
}

function isSame(one: When, other: When): boolean {
  const hasSameDay =
    one.day === undefined || other.day === undefined ? one.day === other.day : sameDay(one.day, other.day);
  return hasSameDay && !isTimeChanged(one, other) && one.time?.offsetMs === other.time?.offsetMs;
}

/** New text between two offsets of the cell. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined if two changes overlap. */
function withChanges(cell: string, changes: readonly Change[]): string | undefined {
  let written = "";
  let from = 0;
  for (const { start, end, text } of changes.toSorted((one, other) => one.start - other.start)) {
    if (start < from) return undefined;
    written += cell.slice(from, start) + text;
    from = end;
  }
  return written + cell.slice(from);
}

function replaced(start: number, before: string, text: string): Change {
  return { start, end: start + before.length, text };
}

/** Writes a number with as many leading zeros as the cell has, otherwise as its column has. */
function padded(value: number, own: string, others: readonly string[], usual: boolean): string {
  const [clear] = [own, ...others].filter((each) => each.length === 1 || each.startsWith("0"));
  const hasZeros = clear === undefined ? usual : clear.startsWith("0") && clear.length > 1;
  return hasZeros ? twoDigits(value) : String(value);
}

// Days.

/** `2036-03-01`, `1/3/2036`, `01.03.36`. */
const NUMERIC = /(?<!\d)(\d{1,4})(\s?[-/.]\s?)(\d{1,2})\2(\d{1,4})(?!\d)/g;
/** `2036年3月1日` */
const JAPANESE = /(?<!\d)(\d{4})(\s?年\s?)(\d{1,2})(\s?月\s?)(\d{1,2})(?=\s?日)/g;
/** `20360301` */
const COMPACT = /(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)/g;
const NUMBER = /(?<!\d)\d{1,4}(?!\d)/g;
const WORD = /\p{L}+/gu;

/** The possible ways to write the day, best first. Only reading the cell shows which of them is right. */
function dayChanges(
  cell: string,
  before: Day | undefined,
  after: Day | undefined,
  siblings: readonly string[],
): Change[][] {
  if (before === undefined || after === undefined) return [];
  const numeric = [
    ...numericDays(cell, before, after, siblings),
    ...compactDays(cell, before, after),
    ...japaneseDays(cell, before, after),
  ];
  const named = numeric.length > 0 ? [] : namedDays(cell, before, after, siblings);
  return [
    ...numeric.map((changes) => [...changes, ...weekdayChanges(cell, before, after, siblings, -1)]),
    ...named,
  ];
}

function numericDays(cell: string, before: Day, after: Day, siblings: readonly string[]): Change[][] {
  const others = siblings.flatMap((each) =>
    [...each.matchAll(NUMERIC)].flatMap(([, one, , two, three]) => [one, two, three]),
  );
  const short = others.flatMap((each) => (each === undefined || each.length > 2 ? [] : [each]));
  return [...cell.matchAll(NUMERIC)].flatMap(
    ({ index, 1: one = "", 2: mark = "", 3: two = "", 4: three = "" }) => {
      const parts = [one, two, three];
      const starts = [
        index,
        index + one.length + mark.length,
        index + one.length + two.length + 2 * mark.length,
      ];
      return ORDERS.filter((order) => order.every((part, at) => isPart(parts[at] ?? "", before, part))).map(
        (order) =>
          order.map((part, at): Change => {
            const own = parts[at] ?? "";
            if (part === "year") return replaced(starts[at] ?? 0, own, yearText(after.year, own));
            const beside = parts.filter((_each, other) => other !== at && order[other] !== "year");
            return replaced(starts[at] ?? 0, own, padded(after[part], own, [...beside, ...short], true));
          }),
      );
    },
  );
}

const ORDERS = [
  ["year", "month", "day"],
  ["day", "month", "year"],
  ["month", "day", "year"],
] as const satisfies (keyof Day)[][];

function isPart(text: string, day: Day, part: keyof Day): boolean {
  if (part !== "year") return text.length <= 2 && Number(text) === day[part];
  return isYear(text, day.year);
}

function isYear(text: string, year: number): boolean {
  return text.length === 4 ? Number(text) === year : text.length === 2 && Number(text) === year % 100;
}

function yearText(year: number, own: string): string {
  return own.length === 2 ? String(year).slice(-2) : String(year);
}

function compactDays(cell: string, before: Day, after: Day): Change[][] {
  return [...cell.matchAll(COMPACT)].flatMap(({ 0: whole, 1: year, 2: month, 3: day, index }) => {
    const isSo = sameDay({ year: Number(year), month: Number(month), day: Number(day) }, before);
    const text = [after.year, after.month, after.day].map(twoDigits).join("");
    return isSo ? [[replaced(index, whole, text)]] : [];
  });
}

function japaneseDays(cell: string, before: Day, after: Day): Change[][] {
  return [...cell.matchAll(JAPANESE)].flatMap((match) => {
    const [whole, year = "", afterYear = "", month = "", afterMonth = "", day = ""] = match;
    const isSo = sameDay({ year: Number(year), month: Number(month), day: Number(day) }, before);
    const numbers = [padded(after.month, month, [day], false), padded(after.day, day, [month], false)];
    const text = `${after.year}${afterYear}${numbers[0]}${afterMonth}${numbers[1]}`;
    return isSo ? [[replaced(match.index, whole, text)]] : [];
  });
}

/** `5 January 2036`, `Jan 5th, 2036`, `2036-Jan-05`, each also with a weekday. */
function namedDays(cell: string, before: Day, after: Day, siblings: readonly string[]): Change[][] {
  const numbers = [...cell.matchAll(NUMBER)];
  const days = numbers.filter(([text]) => text.length <= 2 && Number(text) === before.day);
  const years = numbers.filter(([text]) => isYear(text, before.year));
  const others = siblings.flatMap((each) =>
    [...withoutTimes(each).matchAll(NUMBER)].flatMap(([text]) => (text.length > 2 ? [] : [text])),
  );
  return [...cell.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    if (monthNamed(word) !== before.month) return [];
    const month = likeWord(word, "months", before.month - 1, after.month - 1, [cell, ...siblings]);
    if (month === undefined) return [];
    return days.flatMap((day) =>
      years
        .filter((year) => year !== day)
        .map((year) => [
          replaced(index, word, month),
          replaced(year.index, year[0], yearText(after.year, year[0])),
          dayOfMonth(cell, day.index, padded(after.day, day[0], others, false), after.day),
          ...weekdayChanges(cell, before, after, siblings, index),
        ]),
    );
  });
}

/** A time's minutes always have two digits, so they do not show how the column writes days. */
function withoutTimes(cell: string): string {
  return cell.replaceAll(TIME, (whole, _hour, mark) => (mark === undefined ? whole : ""));
}

/** A day with the ending of its number, as in `3rd` and `1er`. */
function dayOfMonth(cell: string, start: number, text: string, day: number): Change {
  const [, own = "", ending = ""] = /^(\d+)(st|nd|rd|th|er)?/i.exec(cell.slice(start)) ?? [];
  if (ending === "") return replaced(start, own, text);
  const isFrench = ending.toLowerCase() === "er";
  return replaced(
    start,
    own + ending,
    text + (isFrench ? (day === 1 ? ending : "") : likeCase(ending, ordinal(day))),
  );
}

function ordinal(day: number): string {
  const last = day > 10 && day < 14 ? 0 : day % 10;
  return ["th", "st", "nd", "rd"][last] ?? "th";
}

/** @param month offset of the month's name, which may look like a weekday's */
function weekdayChanges(
  cell: string,
  before: Day,
  after: Day,
  siblings: readonly string[],
  month: number,
): Change[] {
  const [from, to] = [weekdayOf(before), weekdayOf(after)];
  return [...cell.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    // In Polish, "nd" is Sunday. In `2nd` it is the ending of a number.
    const isEnding = /\d/.test(cell.charAt(index - 1));
    if (index === month || isEnding || weekdayNamed(word) !== from) return [];
    const name = likeWord(word, "weekdays", from - 1, to - 1, [cell, ...siblings]);
    if (name === undefined) return [];
    const [ending = ""] = /^-feira/i.exec(cell.slice(index + word.length)) ?? [];
    return [replaced(index, word + ending, name + (to > 5 ? "" : ending))];
  });
}

/** Another name of the same list, language and length, in the same case. */
function likeWord(
  word: string,
  list: "months" | "weekdays",
  from: number,
  to: number,
  texts: readonly string[],
): string | undefined {
  const folded = foldDateWord(word);
  const known = LANGUAGES.flatMap((language) => {
    const names = wordsOf(language[list][from]);
    const at = names.findIndex((name) => foldDateWord(name) === folded);
    return at === -1 ? [] : [{ language, names, at }];
  });
  const all = new Set(texts.flatMap((text) => text.match(WORD) ?? []).map(foldDateWord));
  const uses = known.map((each) => {
    const own = new Set(
      [...each.language.months, ...each.language.weekdays].flatMap(wordsOf).map(foldDateWord),
    );
    return { ...each, count: [...all].filter((name) => own.has(name)).length };
  });
  const [best] = uses.sort((one, other) => other.count - one.count);
  if (best === undefined) return undefined;
  const { language, names, at } = best;
  // "May" is both the full name and the short name.
  const isShort =
    at > 0 ||
    (names.length === 1 &&
      language[list].some((each) =>
        wordsOf(each)
          .slice(1)
          .some((name) => all.has(foldDateWord(name))),
      ));
  const targets = wordsOf(language[list][to]);
  const short = targets.slice(1).find((name) => name.length === word.length) ?? targets[1];
  const target = isShort ? (short ?? targets[0]) : targets[0];
  return target === undefined ? undefined : likeCase(word, target);
}

function likeCase(word: string, text: string): string {
  if (word.length > 1 && word === word.toUpperCase()) return text.toUpperCase();
  return word.charAt(0) === word.charAt(0).toUpperCase()
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

// Times.

/** `09:30`, `9.30 pm`, `20h30`, `20 Uhr 30`, `8 pm`. */
const TIME =
  /(?<!\d)(\d{1,2})(?:(\s?[:.]|\s?h\s?|\s?時\s?|\s?uhr\s?)(\d\d)(?::(\d\d)([.,]\d{1,9})?)?)?(?!\d)(?:(\s?)([ap])(\.?\s?m\b\.?))?/gi;
const NOON = /(?:12\s)?noon/gi;

function timeChanges(
  cell: string,
  before: ClockTime | undefined,
  after: ClockTime | undefined,
  siblings: readonly string[],
): Change[][] {
  if (before === undefined || after === undefined) return [];
  const others = siblings.flatMap((each) =>
    [...each.matchAll(TIME)].flatMap((match) => (match[3] === undefined ? [] : [match[1] ?? ""])),
  );
  const noons = [...cell.matchAll(NOON)].map(({ 0: whole, index }) => [
    replaced(index, whole, `${twoDigits(after.hour)}:${twoDigits(after.minute)}`),
  ]);
  const clocks = [...cell.matchAll(TIME)].flatMap((match): Change[][] => {
    const [whole, hour = "", mark, minute, second, , gap = "", half, rest = ""] = match;
    const start = match.index;
    const isTwelve = half !== undefined;
    const read = isTwelve ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
    if (read !== before.hour || Number(minute ?? 0) !== before.minute) return [];
    const shown = isTwelve ? after.hour % 12 || 12 : after.hour;
    const hours = padded(shown, hour, others, !isTwelve);
    const seconds = second !== undefined || after.second !== 0 ? `:${twoDigits(after.second)}` : "";
    const end = isTwelve ? gap + likeCase(half, after.hour < 12 ? "a" : "p") + rest : "";
    if (minute !== undefined)
      return [[replaced(start, whole, `${hours}${mark}${twoDigits(after.minute)}${seconds}${end}`)]];
    const plain = [replaced(start, whole, hours + end)];
    if (after.minute === 0 && seconds === "") return [plain];
    const [letter] = /^\s?[h時]/i.exec(cell.slice(start + hour.length)) ?? [];
    if (letter !== undefined) {
      const minutes = letter.endsWith("時") ? `${twoDigits(after.minute)}分` : twoDigits(after.minute);
      return [[replaced(start, hour + letter, hours + letter + minutes)]];
    }
    return [[replaced(start, whole, `${hours}:${twoDigits(after.minute)}${seconds}${end}`)]];
  });
  return [...clocks, ...noons];
}

/** `+01:00`, `-0500`, `(GMT+1)` at the end of a cell. */
const OFFSET = /([+-])(\d{1,2})(?:(:?)(\d\d))?(?=\)?$)/;

/** The change of a written offset; none if the cell has another form. */
function offsetChange(cell: string, time: ClockTime | undefined): Change[] {
  const match = OFFSET.exec(cell.trimEnd());
  if (match === null || time?.offsetMs === undefined) return [];
  const [whole, , hours = "", colon = "", minutes] = match;
  const total = Math.abs(time.offsetMs) / 60_000;
  const rest = total % 60;
  const text = String(Math.floor(total / 60)).padStart(hours.length, "0");
  const end =
    minutes === undefined && rest === 0 ? "" : (minutes === undefined ? ":" : colon) + twoDigits(rest);
  return [replaced(match.index, whole, `${time.offsetMs < 0 ? "-" : "+"}${text}${end}`)];
}
