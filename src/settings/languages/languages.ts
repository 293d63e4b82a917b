/** The languages that plancast knows, and lookups of their words. To add one, write its file and add a line here. */

import { groupBy, once } from "../../model/data.ts";
import { arabic } from "./arabic.ts";
import { dutch } from "./dutch.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { italian } from "./italian.ts";
import { japanese } from "./japanese.ts";
import type { Language, StatusWords } from "./language.ts";
import { polish } from "./polish.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";

export const LANGUAGES: readonly Language[] = [
  english,
  french,
  german,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  arabic,
  japanese,
];

/** The name of a language in English, by its code. */
export function languageName(code: string): string {
  return LANGUAGES.find((each) => each.code === code)?.name ?? code;
}

/** The words of a list in a language's file. */
export function wordsOf(list = ""): readonly string[] {
  return list === "" ? [] : list.split(", ");
}

/** The words of a list in every language's file, in the form in which headers are compared. */
export function looseHeaders(listOf: (language: Language) => string | undefined): ReadonlySet<string> {
  return new Set(LANGUAGES.flatMap((language) => wordsOf(listOf(language)).map(looseHeader)));
}

/** Each cell of a column may be compared, and this is what most of them hold. */
const PLAIN = /^[ -~]*$/;

/** The form in which words are compared: only letters and digits, without case and accents. */
export function looseWord(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll("ـ", "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Like `looseWord`, for a header: text in brackets does not count either. */
export function looseHeader(name: string): string {
  return looseWord(
    name
      .normalize("NFKC")
      // `Link(s)` is one name. `Caption (EN)` and `Caption (FR)` differ only in the brackets.
      .replaceAll(/(?<=\p{L})\((s|es|en)\)/gu, "$1")
      .replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ""),
  );
}

/** What a word in a status column means; `unclear`: only the team knows. */
export type StatusWordMeaning = Exclude<keyof StatusWords, "stop">;

const STATUS_MEANINGS = [
  "ready",
  "draft",
  "skip",
  "unclear",
  "stop",
] as const satisfies readonly (keyof StatusWords)[];

/** The meaning of a status word in any language; undefined if no language has it. A question has no meaning. */
export function statusWord(text: string): StatusWordMeaning | undefined {
  return text.length > MAX_STATUS || /[?？؟]/u.test(text) ? undefined : statusWords().get(looseWord(text));
}

/** Longer cells are texts, UTF-16 units. With its signs and blanks, no status is longer. */
const MAX_STATUS = 100;

const statusWords = once(
  (): ReadonlyMap<string, StatusWordMeaning> =>
    new Map(
      LANGUAGES.flatMap(({ status }) =>
        STATUS_MEANINGS.flatMap((meaning) =>
          wordsOf(status[meaning]).map(
            (word) => [looseWord(word), meaning === "stop" ? "skip" : meaning] as const,
          ),
        ),
      ),
    ),
);

const stopWords = once(() => new Set(LANGUAGES.flatMap(({ status }) => wordsOf(status.stop).map(looseWord))));

/** Whether a word in a status column says to stop the row. */
export function isStopWord(text: string): boolean {
  return text.length <= MAX_STATUS && stopWords().has(looseWord(text));
}

/** Marks in yes-or-no cells, in any language. */
const YES_MARKS = "x 1 ✓ ✔ ☑ ✅ ○ 〇 ◯".split(" ");
const NO_MARKS = "0 - – ✗ ✘ ☐ ❌".split(" ");

/** By word, in lower case and also as spreadsheets write it: nearly all cells are just that. */
const ANSWERS = new Map([
  ...[...NO_MARKS, ...LANGUAGES.flatMap(({ no }) => wordsOf(no))].map((word) => [word, false] as const),
  ...[...YES_MARKS, ...LANGUAGES.flatMap(({ yes }) => wordsOf(yes))].map((word) => [word, true] as const),
  ["TRUE", true],
  ["FALSE", false],
]);

/** Whether a cell says yes or no, in the words of spreadsheets and people; undefined for anything else. */
export function yesOrNo(text: string): boolean | undefined {
  return ANSWERS.get(text) ?? ANSWERS.get(text.trim().toLowerCase().normalize("NFC"));
}

/** Signs and abbreviations in place of a blank cell, in any language. */
const NOTHING: readonly string[] = "- – — / n/a na n.a. null".split(" ");

const nothingWords = once(
  () => new Set([...NOTHING, ...LANGUAGES.flatMap(({ nothing }) => wordsOf(nothing))]),
);

/** The longest of these words has a sign or two around it, UTF-16 units. */
const MAX_NOTHING = 30;

/** Whether a cell says that it is blank on purpose: `n/a`, `-`, `none`. */
export function saysNothing(text: string): boolean {
  if (text.length > MAX_NOTHING) return false;
  return nothingWords().has(text.trim().toLowerCase().normalize("NFC"));
}

/**
 * The word that says the opposite in the same language, written like this one: `Yes` for `No`. Undefined if it is not a
 * yes or a no of a language.
 */
export function oppositeAnswer(text: string): string | undefined {
  const word = text.trim().toLowerCase().normalize("NFC");
  for (const [from, to] of LANGUAGES.flatMap(({ yes, no }) => [
    [wordsOf(yes), wordsOf(no)] as const,
    [wordsOf(no), wordsOf(yes)] as const,
  ])) {
    const index = from.indexOf(word);
    const found = index === -1 ? undefined : (to[index] ?? to[0]);
    if (found !== undefined) return likeCase(found, text.trim());
  }
  return undefined;
}

/** A word in capitals, or with a first capital, if the other text is. */
function likeCase(word: string, other: string): string {
  if (other === other.toLowerCase()) return word;
  return other === other.toUpperCase() ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether a cell names a row of totals, such as `TOTAL:` or `Total posts`. */
export function isTotal(text: string): boolean {
  const word = looseWord(text.slice(0, MAX_TOTAL)).replace(/\d{1,40}$/, "");
  return word !== "" && totalWords().has(word);
}

const totalWords = once(() => new Set(LANGUAGES.flatMap(({ totals }) => wordsOf(totals).map(looseWord))));

/** No name of a total is longer, in UTF-16 units. */
const MAX_TOTAL = 40;

/**
 * Whether a note says in any language that its row must not be published: `Please do not post before legal has
 * answered`. A question does not say that, and a long text is not a note.
 */
export function holdsBack(text: string): boolean {
  if (text.length > MAX_NOTE || text.length < MIN_NOTE || /[?？؟]\s*$/u.test(text)) return false;
  const plain = spacedWords(text);
  if (CJK.test(plain)) return heldParts().unspaced.some((part) => plain.includes(part));
  const { byFirstWord } = heldParts();
  const words = plain.split(" ");
  return words.some((word, index) =>
    byFirstWord.get(word)?.some((part) => part.every((each, at) => words[index + at] === each)),
  );
}

/** Length of a note, UTF-16 units. */
const MAX_NOTE = 300;
const MIN_NOTE = 3;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Small words, without accents and apostrophes, with one blank between them. */
function spacedWords(text: string): string {
  const plain = text.toLowerCase().replaceAll(/['’`]/g, "");
  const bare = /^[ -~]*$/.test(plain)
    ? plain
    : plain.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ł", "l").replaceAll("ـ", "");
  return bare.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

interface HeldParts {
  /** Each as its words. */
  readonly byFirstWord: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly unspaced: readonly string[];
}

const heldParts = once((): HeldParts => {
  const all = LANGUAGES.flatMap(({ holds }) => wordsOf(holds).map(spacedWords));
  const byFirstWord = groupBy(
    all.filter((part) => !CJK.test(part)).map((part) => part.split(" ")),
    ([first = ""]) => first,
  );
  return { byFirstWord, unspaced: all.filter((part) => CJK.test(part)) };
});
