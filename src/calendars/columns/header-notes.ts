/** The order of day, month and year that a header says: `DATE (MONTH/DAY/YEAR)`, `Datum (TT.MM.)`. */

import type { DateOrder } from "../../model/fields.ts";
import { LANGUAGES, looseWord, wordsOf } from "../../settings/languages/languages.ts";
import { MAX_HEADER, zoneWithoutBrackets } from "./header-zones.ts";

const PARTS = { day: "d", month: "m", year: "y" } as const;

type DatePart = (typeof PARTS)[keyof typeof PARTS];

/** Letters and words for the parts of a date: `JJ` is a day in French and a year in German. Built at the first lookup. */
let madeParts: ReadonlyMap<string, ReadonlySet<DatePart>> | undefined;

function dateParts(): ReadonlyMap<string, ReadonlySet<DatePart>> {
  if (madeParts !== undefined) return madeParts;
  const found = new Map<string, Set<DatePart>>();
  for (const { dateParts: words } of LANGUAGES)
    for (const name of ["day", "month", "year"] as const)
      for (const word of wordsOf(words[name]).map(looseWord))
        found.set(word, (found.get(word) ?? new Set()).add(PARTS[name]));
  madeParts = found;
  return found;
}

/** Two or three words with one sign between them. */
const DATE_FORMAT = /(?<!\p{L})(\p{L}{1,10})(\s?[-/.]\s?|\s)(\p{L}{1,10})(?:\2(\p{L}{1,10}))?(?!\p{L})/gu;

/** What every format contains: most headers do not, and the patterns above take long to compile. */
const SEVERAL_WORDS = /[\s\-/.]/;

interface HeaderFormat {
  /** Undefined if it cannot be read: an order that plancast does not read, or letters that it does not know. */
  readonly order: DateOrder | undefined;
  /** The note as the header writes it. */
  readonly text: string;
}

/** `US format`, `format américain`: the order that people of a region use. */
const OF_REGION: readonly (readonly [order: DateOrder, region: string])[] = [
  ["mdy", String.raw`u\.?s\.?a?\.?|american|américain|amerikanisch(?:es)?|americano|amerikaans|amerykański`],
  [
    "dmy",
    String.raw`u\.?k\.?|british|britannique|britisch(?:es)?|e\.?u\.?|europ(?:ean|éen|äisch(?:es)?|eo|eu|ees|ejski)|french|français|german|deutsch(?:es)?`,
  ],
  ["ymd", "iso"],
];
const FORMAT_WORD = "(?:format|formato|formaat|style|notation)";

const REGION_FORMATS = OF_REGION.map(([order, region]) => {
  const either = `(?:(?:${region})[\\s-](?:date[\\s-])?${FORMAT_WORD}|${FORMAT_WORD}[\\s-](?:${region}))`;
  return { order, pattern: new RegExp(`[([]\\s*${either}\\s*[)\\]]`, "iu") };
});

/** The format of dates that a header names; undefined if it names none. */
export function formatInHeader(name: string): HeaderFormat | undefined {
  if (name.length > MAX_HEADER) return undefined;
  const text = name.normalize("NFKC");
  if (!SEVERAL_WORDS.test(text)) return undefined;
  for (const { order, pattern } of REGION_FORMATS) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return { order, text: found };
  }
  for (let from = 0; from < text.length;) {
    DATE_FORMAT.lastIndex = from;
    const match = DATE_FORMAT.exec(text);
    if (match === null) return undefined;
    const [whole, first = "", sign = "", second = "", third] = match;
    const words = third === undefined ? [first, second] : [first, second, third];
    const orders = ordersOf(words);
    // A day and a month with a year before or after it; a month and a year say no order.
    const [order, ...others] = orders;
    if (order !== undefined || mayBeFormat(words, sign))
      return { order: others.length > 0 ? undefined : ORDERS.get(order ?? ""), text: whole };
    from = match.index + first.length;
  }
  return undefined;
}

/** The orders of different parts that words can mean: `dmy`. */
function ordersOf(words: readonly string[]): readonly string[] {
  let found = [""];
  for (const word of words) {
    const parts = [...(dateParts().get(looseWord(word)) ?? [])];
    found = found.flatMap((before) =>
      parts.flatMap((part) => (before.includes(part) ? [] : [before + part])),
    );
  }
  return found.filter((order) => order.includes("d"));
}

const ORDERS: ReadonlyMap<string, DateOrder> = new Map([
  ["dmy", "dmy"],
  ["dm", "dmy"],
  ["mdy", "mdy"],
  ["md", "mdy"],
  ["ymd", "ymd"],
]);

/** Whether words look like a format although their order is not known: `GG/AA/YYYY`, `ДД.ММ.ГГГГ`. */
function mayBeFormat(words: readonly string[], sign: string): boolean {
  if (words.length < 3 || sign.trim() === "") return false;
  const known = words.filter((word) => dateParts().has(looseWord(word)));
  return known.length > 1 || words.every((word) => /^(\p{L})\1{1,3}$/u.test(word.toLowerCase()));
}

/** A header such as `Time EST` or `Date DD/MM/YYYY` without its zone or format; undefined if it has neither. */
export function withoutNote(name: string): string | undefined {
  const zoned = zoneWithoutBrackets(name)?.rest;
  if (zoned !== undefined) return zoned;
  const format = formatInHeader(name);
  return format === undefined ? undefined : name.normalize("NFKC").replace(format.text, "").trim();
}
