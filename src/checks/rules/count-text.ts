/** Counts the length of a text as networks do. All counts are of the text in Unicode NFC, as it is sent. */

import { once } from "../../model/data.ts";
import type { Count } from "../../settings/limits.ts";
import { findLinks } from "./links-and-tags.ts";

/** Length of any link. Source: twitter-text configuration v3; docs.joinmastodon.org. */
const LINK_LENGTH = 23;
/** Length of any emoji. Source: twitter-text configuration v3, `emojiParsingEnabled`. */
const EMOJI_LENGTH = 2;
/** Characters that count 2; all others count 1. Source: twitter-text configuration v3, `ranges`. */
// oxlint-disable-next-line no-control-regex
const WIDE = /[^\u0000-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/gu;
/** Like `WIDE`, for UTF-16 units; a surrogate counts 1. */
// oxlint-disable-next-line no-control-regex
const WIDE_UNIT = /[^\u0000-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037\ud800-\udfff]/g;
const SURROGATE_PAIR = /[\u{10000}-\u{10ffff}]/gu;
/** Ranges with emoji. The exact pattern is a long list, too slow for whole texts. */
const EMOJI_RUN =
  /[#*0-9]\uFE0F?\u20E3|[\p{Regional_Indicator}\p{Extended_Pictographic}\p{Emoji_Modifier}][\p{Regional_Indicator}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]*/gu;
/** Every emoji contains at least one of these UTF-16 units. */
const MAYBE_EMOJI = /[\u2000-\uffff]/g;
const BLANK = 0x20;
/** ASCII without controls other than line ends: each character is a grapheme. */
const PLAIN = /^[\n\x20-\x7e]*$/;
/** A piece starts where a grapheme does: at a space. */
const PIECES = /[^]\S*/gu;
/** The time of Node's segmenter grows with the square of the text's length, so it gets at most this much, UTF-16 units. */
const WINDOW = 256;
/** A character with more combining marks than these counts as several. */
const LARGEST_WINDOW = 16 * WINDOW;
/** `@name@example.social` counts as `@name`. Source: docs.joinmastodon.org, "Posting to your profile". */
const MENTION = /(?<![\w/])(@\w+)@[\w.-]+\w/g;

const COUNTERS: Readonly<Record<Count, (text: string, linkLength: number) => number>> = {
  characters: codePoints,
  utf16: ({ length }) => length,
  graphemes,
  bytes: (text) => Buffer.byteLength(text),
  twitter: (text, length) => weighted(withEqualLinks(text, { bare: true, length })),
  mastodon: (text, length) => graphemes(withEqualLinks(text, { bare: false, length }).replace(MENTION, "$1")),
  threads: emojiInBytes,
};

/**
 * The length of a text. Never negative; 0 only for an empty text.
 * @param linkLength what a link counts, where links count differently
 */
export function countText(text: string, count: Count, linkLength = LINK_LENGTH): number {
  return COUNTERS[count](text.normalize("NFC"), linkLength);
}

/**
 * Whether a text in NFC is certainly within a limit, because it is so short. Fast, and never true for a text that is
 * too long.
 */
export function fitsWithoutCounting(text: string, count: Count, limit: number): boolean {
  return longestPossible(text, count) <= limit;
}

function longestPossible(text: string, count: Count): number {
  const { length } = text;
  switch (count) {
    case "characters":
    case "utf16":
    case "graphemes":
      return length;
    case "bytes":
      return length * 3;
    case "threads":
      return length + matches(text, MAYBE_EMOJI) * 3;
    case "twitter":
      return length + matches(text, WIDE_UNIT) + possibleLinks(text) * LINK_LENGTH;
    case "mastodon":
      return length + possibleLinks(text) * LINK_LENGTH;
  }
}

function matches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Every link has a dot with something after it. */
function possibleLinks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("."); at !== -1; at = text.indexOf(".", at + 1)) {
    if (text.charCodeAt(at + 1) > BLANK) count += 1;
  }
  return count;
}

function codePoints(text: string): number {
  return text.length - matches(text, SURROGATE_PAIR);
}

function graphemes(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let count = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    if (PLAIN.test(piece)) count += piece.length;
    else count += graphemesIn(piece);
  }
  return count;
}

/** Counts window by window. The next window starts with the last grapheme of the one before, which may go on. */
function graphemesIn(piece: string): number {
  let count = 0;
  let start = 0;
  let size = WINDOW;
  for (;;) {
    const isCut = piece.codePointAt(start + size - 1) !== piece.charCodeAt(start + size - 1);
    const text = piece.slice(start, start + size - (isCut ? 1 : 0));
    let found = 0;
    let last = 0;
    for (const { index } of segmenter().segment(text)) {
      found += 1;
      last = index;
    }
    if (start + text.length >= piece.length) return count + found;
    if (found > 1) {
      count += found - 1;
      start += last;
      size = WINDOW;
    } else if (size < LARGEST_WINDOW) size *= 2;
    else {
      count += 1;
      start += text.length;
      size = WINDOW;
    }
  }
}

function weighted(text: string): number {
  if (text.search(WIDE) === -1) return text.length;
  const emoji = emojiIn(text);
  return weight(text) - weight(emoji.join("")) + emoji.length * EMOJI_LENGTH;
}

function weight(text: string): number {
  return codePoints(text) + matches(text, WIDE);
}

function emojiInBytes(text: string): number {
  const emoji = emojiIn(text).join("");
  return codePoints(text) - codePoints(emoji) + Buffer.byteLength(emoji);
}

/** Emoji with all their parts: skin tones, joined emoji, flags. */
function emojiIn(text: string): string[] {
  return (text.match(EMOJI_RUN) ?? []).flatMap((run) => run.match(emojiPattern()) ?? []);
}

/** The text with each link replaced by as many letters as it counts. */
function withEqualLinks(text: string, { bare, length }: { bare: boolean; length: number }): string {
  let equal = "";
  let end = 0;
  for (const link of findLinks(text, { bare })) {
    equal += text.slice(end, link.start) + "x".repeat(length);
    end = link.end;
  }
  return equal + text.slice(end);
}

// Creating either takes a millisecond or more, and most runs need neither.
const segmenter = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** The `v` flag is newer than the compile target. A keycap is an emoji also without its variation selector. */
const emojiPattern = once(() => new RegExp(String.raw`[#*0-9]\u{FE0F}?\u{20E3}|\p{RGI_Emoji}`, "gv"));
