/** Rules about texts that are not written yet: placeholders, and texts that are marked as drafts. */

import { once } from "../../model/data.ts";
import { clipped } from "../../model/text.ts";
import {
  LANGUAGES,
  looseHeaders,
  looseWord,
  saysNothing,
  wordsOf,
  yesOrNo,
} from "../../settings/languages/languages.ts";
import { networkNamed } from "../networks/network-names.ts";
import { type CheckedPost, type Finding, type Rule, NO_FINDINGS, textsOf } from "./rule.ts";

export const placeholderText: Rule = {
  code: "content/placeholder",
  severity: "error",
  rule: "A text is not only a placeholder, such as `TBD`, `-` or `Caption to come`.",
  cause: "Somebody still has to write the text, and plancast would publish the placeholder.",
  fix: "Write the text, or mark the row as `draft` or `skip`. If your texts really look like this, turn the rule off.",
  of: "post",
  check: (post) => {
    if (!publishes(post, isPlaceholder)) return NO_FINDINGS;
    return textsOf(post)
      .filter(({ text }) => isPlaceholder(text))
      .map(({ name, text, ...place }): Finding => {
        const way =
          place.field === "content" && post.media?.length === 0
            ? "Write the text, or mark the row as draft or skip."
            : "Write the text, clear it, or mark the row as draft or skip.";
        const off =
          "If you want to publish it, set `content/placeholder: off` under `rules:` in plancast.yaml.";
        return {
          ...place,
          message: `${name} is only a placeholder: "${clipped(text.trim())}". ${way} ${off}`,
        };
      });
  },
};

export const unfinishedText: Rule = {
  code: "content/unfinished",
  severity: "error",
  rule: "A text does not start with a word such as `DRAFT:`, and contains no `Lorem ipsum dolor`.",
  cause: "The text is marked as unfinished, and the mark would be published with it.",
  fix: "Finish the text and remove the mark, or mark the row as `draft`.",
  of: "post",
  check: (post) => {
    if (!publishes(post, isUnfinished)) return NO_FINDINGS;
    return textsOf(post).flatMap(({ name, text, ...place }): Finding[] => {
      if (!isUnfinished(text)) return [];
      const start = unfinishedStart(text);
      const what = start === undefined ? 'contains "Lorem ipsum dolor"' : `starts with "${start}"`;
      const message = `${name} ${what}, so it may not be ready. Finish it and remove the mark, or mark the row as draft or skip. If the text is right, set \`rules: { content/unfinished: off }\` in plancast.yaml.`;
      return [{ ...place, message }];
    });
  },
};

function isUnfinished(text: string): boolean {
  return (unfinishedStart(text) !== undefined || isDummyText(text)) && !isPlaceholder(text);
}

/** Whether one of its texts is like this. Nearly no text is, so the list of texts is made only then. */
function publishes(
  { content, alt = [], thread = [], first_comment = "" }: CheckedPost,
  isLikeThis: (text: string) => boolean,
): boolean {
  return (
    isLikeThis(content) ||
    alt.some(isLikeThis) ||
    thread.some(isLikeThis) ||
    (first_comment !== "" && isLikeThis(first_comment))
  );
}

// Which texts are placeholders, and which start with a mark, in any language.

/** Abbreviations that people use in any language, as whole texts. */
const WHOLE = new Set("tbd tbc tba todo na loremipsum".split(" "));

/** The same at the start of a text, in capitals: in Spanish, `Todo:` is a word. */
const START = new Set("TBD TBC TODO WIP".split(" "));

/** Signs in place of a text. */
const SIGNS = /^(?:[-–—_]{1,60}|[?？]{1,60}|x{2,60})$/i;

/** What only real texts have: emoji, exclamation marks and hashtags. */
const LIVELY = /[!！#\p{Extended_Pictographic}]/u;

/** No placeholder is longer, UTF-16 units. */
const MAX_LENGTH = 60;

/** Whether a text is only a placeholder, such as `TBD`, `Caption: to come` or `-`. */
function isPlaceholder(text: string): boolean {
  const startsAsDummy = /^\s*lorem ipsum/i.test(text);
  if (startsAsDummy && isDummyText(text)) return true;
  const tidy = text.length > 2 * MAX_LENGTH ? "" : text.trim();
  if (tidy === "" || tidy.length > MAX_LENGTH || isDummyText(text)) return false;
  if (SIGNS.test(tidy) || saysNothing(tidy) || isMark(tidy)) return true;
  if (isPlaceholderWord(tidy) || refersToNetwork(tidy)) return true;
  const words = tidy.split(/[\s:：–—-]+/);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  return (
    words.length > 1 &&
    ((namesText(first) && isPlaceholderWord(words.slice(1).join(" "))) ||
      (namesText(last) && isPlaceholderWord(words.slice(0, -1).join(" "))))
  );
}

/** Whether a text contains the text that designers fill pages with. */
function isDummyText(text: string): boolean {
  return /lorem ipsum dolor/i.test(text);
}

const wholeWords = once(
  () => new Set(LANGUAGES.flatMap(({ placeholders }) => wordsOf(placeholders.whole).map(looseWord))),
);

function isPlaceholderWord(text: string): boolean {
  const word = looseWord(text);
  return WHOLE.has(word) ? !text.includes("#") : wholeWords().has(word) && !LIVELY.test(text);
}

/** A mark such as `x` says that there is a text elsewhere, or none. A digit may be part of a countdown. */
function isMark(text: string): boolean {
  return yesOrNo(text) !== undefined && !/^\d$/.test(text);
}

/** The phrases such as `same as above`, without the last word. */
const referring = once(
  () =>
    new Set(
      LANGUAGES.flatMap(({ placeholders }) =>
        wordsOf(placeholders.whole).flatMap((phrase) =>
          phrase.includes(" ") ? [looseWord(phrase.slice(0, phrase.lastIndexOf(" ")))] : [],
        ),
      ),
    ),
);

/** Whether a text only names the network whose text it repeats: `Same as Facebook`. */
function refersToNetwork(text: string): boolean {
  const words = text.split(/\s+/);
  const last = words.pop();
  if (last === undefined || words.length === 0 || networkNamed(last) === undefined) return false;
  return referring().has(looseWord(words.join(" ")));
}

const textHeaders = once(() => looseHeaders(({ columns }) => columns.content));

/** Whether a word is the header of a column of texts, such as `Caption`. */
function namesText(word: string): boolean {
  return textHeaders().has(looseWord(word));
}

/** `[Draft] text`, or `Draft: text` and `DRAFT – text`. */
const IN_BRACKETS = /^[[(【]([^\])】]{1,20})[\])】]/;
const BEFORE_TEXT = /^([^:：–—]{1,20}?) ?(?:[:：–—]| - )/;
/** Where the sign after this word is at the latest. Most texts end here, because the pattern above is slower. */
const SIGN_AFTER_WORD = /[:：–—]| - /;
const WORD_AND_SIGN = 24;

const startWords = once(
  () => new Set(LANGUAGES.flatMap(({ placeholders }) => wordsOf(placeholders.start).map(looseWord))),
);

/** The word at the start of a text that calls it unfinished, such as `DRAFT`; undefined if there is none. */
function unfinishedStart(text: string): string | undefined {
  const start = text.slice(0, MAX_LENGTH).trimStart();
  const bracketed = IN_BRACKETS.exec(start)?.[1];
  if (bracketed === undefined && !SIGN_AFTER_WORD.test(start.slice(0, WORD_AND_SIGN))) return undefined;
  const word = (bracketed ?? BEFORE_TEXT.exec(start)?.[1])?.trim() ?? "";
  if (word === "") return undefined;
  const isKnown = START.has(bracketed === undefined ? word : word.toUpperCase());
  return isKnown || startWords().has(looseWord(word)) ? word : undefined;
}
