/**
 * Text in the pieces that people see. Node's segmenter takes a time that grows with the square of a text's length, so
 * it gets short pieces; runs of blanks are pieces of their own.
 */

import stringWidth from "string-width";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const WORDS = new Intl.Segmenter("en", { granularity: "word" });
/** Each of these is a grapheme of one column. Most of what is shown is of no other kind. */
const PLAIN = /^[\u0020-\u007e]*$/;
const SHORT = /\s+|\S{1,500}/gu;

/** What people see as characters: a letter with its marks, an emoji with its parts. */
export function graphemes(text: string): Iterable<string> {
  return PLAIN.test(text) ? text : segments(text, GRAPHEMES);
}

/** Words, signs and blanks, by the rules of Unicode: also where no blanks are, and never half an emoji. */
export function words(text: string): string[] {
  return [...segments(text, WORDS)];
}

function* segments(text: string, segmenter: Intl.Segmenter): Generator<string> {
  for (const [short] of text.matchAll(SHORT)) {
    for (const { segment } of segmenter.segment(short)) yield segment;
  }
}

/** Emoji of several parts; many terminals draw the parts beside each other. */
const JOINED = /\u200d|\p{Emoji_Modifier}/u;

/** Columns that a text takes at most, in whatever terminal: so much room it needs to stay on its line. */
export function maxTextWidth(text: string): number {
  const width = textWidth(text);
  if (!JOINED.test(text)) return width;
  const apart = Array.from(text).reduce((sum, part) => sum + textWidth(part), 0);
  return Math.max(width, apart);
}

/** Columns that a text takes in a terminal. It must be escaped already. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return (text.match(SHORT) ?? []).reduce((sum, short) => sum + stringWidth(short), 0);
}

/** The longest emoji in use have about as many UTF-16 units; more is a character made to be long. */
const UNITS_A_GRAPHEME = 24;

/** A text's first graphemes, with an ellipsis where some are left out; never half an emoji. */
export function clipText(text: string, length: number): string {
  let end = 0;
  let count = 0;
  for (const grapheme of graphemes(text)) {
    if (count === length || end + grapheme.length > length * UNITS_A_GRAPHEME) {
      return `${text.slice(0, end).trimEnd()} …`;
    }
    end += grapheme.length;
    count += 1;
  }
  return text;
}

/** A text that takes so many columns at most, with an ellipsis where some of it is left out; never half a character. */
export function clipToWidth(text: string, width: number, ellipsis: string): string {
  if (maxTextWidth(text) <= width) return text;
  let shown = "";
  let left = width - textWidth(ellipsis);
  for (const letter of graphemes(text)) {
    left -= maxTextWidth(letter);
    if (left < 0) break;
    shown += letter;
  }
  return shown.trimEnd() + ellipsis;
}
