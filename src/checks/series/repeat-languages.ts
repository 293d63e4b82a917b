/** Rules of rows that repeat in other languages, in the words of English rules. Pure. */

import { once } from "../../model/data.ts";
import { LANGUAGES, wordsOf } from "../../settings/languages/languages.ts";
import type { RepeatWord } from "../../settings/languages/language.ts";

/** The words of English rules. Words that only connect others have no meaning here. */
const ENGLISH: Readonly<Record<Exclude<RepeatWord, "until" | "times">, string>> = {
  daily: "daily",
  weekly: "weekly",
  monthly: "monthly",
  yearly: "yearly",
  workdays: "weekdays",
  weekends: "weekends",
  every: "every",
  day: "day",
  week: "week",
  month: "month",
  year: "year",
  on: "on",
  and: "and",
  first: "1st",
  second: "2nd",
  third: "3rd",
  fourth: "4th",
  last: "last",
  ofMonth: "",
};

/** Letters of languages without spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;

/** Without case and accents, and in the forms that all systems type. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll("’", "'");
}

/** A phrase of another language. */
interface Phrase {
  readonly english: string;
  /** The first word; undefined if the language has no spaces between words. */
  readonly start: string | undefined;
  readonly pattern: string;
}

/** By phrase, the longest first. */
const phrases = once((): ReadonlyMap<string, Phrase> => {
  const meaning = new Map<string, string>();
  for (const { repeat, weekdays } of LANGUAGES) {
    for (const [word, english] of Object.entries(ENGLISH))
      // The keys are those of the table above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      for (const phrase of wordsOf(repeat?.[word as keyof typeof ENGLISH]))
        meaning.set(folded(phrase), english);
    // Only for languages without spaces, where these words must be found between other letters: elsewhere, a list has
    // one word for each day.
    for (const [index, names] of weekdays.entries())
      for (const name of wordsOf(names))
        if (UNSPACED.test(name) && name.length > 1) meaning.set(folded(name), DAYS[index] ?? "");
  }
  const longest = [...meaning].sort(([one], [other]) => other.length - one.length);
  return new Map(longest.map(([phrase, english]) => [phrase, phraseOf(phrase, english)]));
});

function phraseOf(phrase: string, english: string): Phrase {
  if (UNSPACED.test(phrase)) return { english, start: undefined, pattern: phrase };
  const pattern = `(?<![\\p{L}\\p{N}])${phrase.replaceAll(" ", "\\s")}(?![\\p{L}\\p{N}])`;
  return { english, start: wordsIn(phrase)[0], pattern };
}

const starts = once(() => new Set(Array.from(phrases().values(), ({ start }) => start)));

/** Most cells that are looked at have no phrase. */
function mayHavePhrase(plain: string): boolean {
  if (/[^ -~]|\d[a-z]/.test(plain)) return true;
  return wordsIn(plain).some((word) => starts().has(word));
}

function wordsIn(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** `1.`, `1er`, `1º`, `2ª` */
const ORDINAL = /(?<![\p{L}\p{N}])(\d{1,2})(?:\.[oa]?|er|ere|re|eme|e|o|a|de|ste)(?=[\s,]|$)/gu;
/** `第1`, `15日` */
const UNSPACED_ORDINAL = /第(\d{1,2})|(\d{1,2})日/gu;

const ENDINGS = ["th", "st", "nd", "rd"];

function ordinal(digits: string): string {
  return ` ${digits}${ENDINGS[Number(digits)] ?? "th"} `;
}

/**
 * The head of a rule, without its end, in English: `every 2 week on mon, thu` for `alle 2 Wochen am Mo, Do`. Unknown
 * words remain.
 */
export function inEnglish(head: string): string {
  const plain = folded(head);
  return (mayHavePhrase(plain) ? translated(plain) : plain)
    .replaceAll(/\s+/g, " ")
    .replaceAll(" ,", ",")
    .replaceAll(" and on ", " and ")
    .trim();
}

function translated(plain: string): string {
  const text = plain
    .replaceAll(UNSPACED_ORDINAL, (_whole, place?: string, day = "") => ordinal(place ?? day))
    .replaceAll(ORDINAL, (_whole, digits: string) => ordinal(digits));
  const all = phrases();
  const words = new Set<string | undefined>(wordsIn(text));
  // One pattern for all phrases would take longer to compile than reading most files.
  const possible = [...all].filter(([phrase, { start }]) =>
    start === undefined ? text.includes(phrase) : words.has(start),
  );
  if (possible.length === 0) return text;
  const pattern = new RegExp(possible.map(([, each]) => each.pattern).join("|"), "gu");
  return text.replaceAll(
    pattern,
    (phrase) => ` ${all.get(phrase.replaceAll(/\s/g, " "))?.english ?? phrase} `,
  );
}

/** The weekday with this name in any language, also in the plural: 1 is Monday. */
export function weekdayInAnyLanguage(name: string): number | undefined {
  const plain = folded(name).replace(/-?feira$/, "");
  return weekdayNumbers().get(plain) ?? weekdayNumbers().get(plain.replace(/(?:en|s)$/, ""));
}

const weekdayNumbers = once(
  (): ReadonlyMap<string, number> =>
    new Map(
      LANGUAGES.flatMap(({ weekdays, repeat }) =>
        [weekdays, repeat?.weekdayForms ?? []].flatMap((list) =>
          list.flatMap((words, index) => wordsOf(words).map((word) => [folded(word), index + 1] as const)),
        ),
      ),
    ),
);

/** The end of a rule: `bis 30.6.2027`, `10 fois`. Undefined if it has none, or none that is understood. */
export function endInAnyLanguage(
  text: string,
  readDay: (text: string) => number | undefined,
):
  | { readonly head: string; readonly day: number }
  | { readonly head: string; readonly count: number }
  | undefined {
  const words = text.split(" ");
  for (let at = 1; at < words.length; at += 1) {
    for (const length of [3, 2, 1]) {
      if (!untilWords().has(folded(words.slice(at, at + length).join(" ")))) continue;
      const day = readDay(words.slice(at + length).join(" "));
      if (day !== undefined) return { head: headOf(words, at), day };
    }
  }
  // `10回` is one word, and `10 fois` two.
  for (const length of [1, 2]) {
    const [, digits, unit = ""] = /^([1-9]\d{0,3}) ?(\D+)$/.exec(words.slice(-length).join(" ")) ?? [];
    if (digits !== undefined && words.length > length && timesWords().has(folded(unit)))
      return { head: headOf(words, words.length - length), count: Number(digits) };
  }
  return undefined;
}

function headOf(words: readonly string[], end: number): string {
  return words.slice(0, end).join(" ").replace(/,$/, "");
}

const untilWords = once(() => new Set(LANGUAGES.flatMap(({ repeat }) => wordsOf(repeat?.until)).map(folded)));
const timesWords = once(() => new Set(LANGUAGES.flatMap(({ repeat }) => wordsOf(repeat?.times)).map(folded)));
