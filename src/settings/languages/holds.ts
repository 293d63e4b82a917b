/** Notes that keep a row back, in any language. */

import { groupBy } from "../../model/data.ts";
import { LANGUAGES, wordsOf } from "./languages.ts";

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

/** UTF-16 units. */
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

/** Built at the first lookup. */
let madeHeldParts: HeldParts | undefined;

function heldParts(): HeldParts {
  if (madeHeldParts !== undefined) return madeHeldParts;
  const all = LANGUAGES.flatMap(({ holds }) => wordsOf(holds).map(spacedWords));
  const byFirstWord = groupBy(
    all.filter((part) => !CJK.test(part)).map((part) => part.split(" ")),
    ([first = ""]) => first,
  );
  madeHeldParts = { byFirstWord, unspaced: all.filter((part) => CJK.test(part)) };
  return madeHeldParts;
}
