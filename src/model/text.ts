/**
 * Text as people type it: comparing names, the nearest name, removing invisible characters, order and equality, and
 * arguments of commands to copy into a shell.
 */

import { distance } from "fastest-levenshtein";

/** The form in which names of columns and keys are compared: case, and spaces, `-` and `_`, are the same. */
export function foldName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}

/** Whether a text has only white space. Checking the first character is a fast path. */
export function isBlank(text: string): boolean {
  if (text === "") return true;
  const unit = text.charCodeAt(0);
  if (unit > 32 && unit < 127) return false;
  return text.trim() === "";
}

/** A text with one more paragraph. A link that the text already contains is not added a second time. */
export function withParagraph(text: string, added: string): string {
  if (isBlank(text)) return added;
  const before = text.trimEnd();
  return /^https?:\/\/\S+$/i.test(added) && containsLink(before, added) ? before : `${before}\n\n${added}`;
}

/** Whether the link is there as a whole, and not only as the beginning of a longer one. */
function containsLink(text: string, link: string): boolean {
  for (let at = text.indexOf(link); at !== -1; at = text.indexOf(link, at + 1)) {
    const end = at + link.length;
    if (!/[\w./-]/.test(text.charAt(at - 1)) && /^[)\]>"'».,;:!?]?(?:\s|$)/.test(text.slice(end, end + 2)))
      return true;
  }
  return false;
}

// Spreadsheets and chat programs put invisible characters into cells: non-breaking spaces, characters without width,
// direction marks. Texts to be published keep them; names and times do not.

/**
 * Characters without width. Emoji and some scripts need joiners, so joiners are removed only where letters and digits
 * are expected.
 */
// oxlint-disable-next-line no-misleading-character-class
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

const INVISIBLE_AT_THE_ENDS =
  // oxlint-disable-next-line no-misleading-character-class
  /^[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+|(?<![\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff])[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+$/g;

const INVISIBLE_UNIT = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

const QUOTES: ReadonlyMap<string, string> = new Map([
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["‘", "’"],
  ["‚", "‘"],
  ['"', '"'],
  ["'", "'"],
]);

/** Plain ASCII needs no cleaning. */
const PLAIN_ASCII = /^[!#-&(-~](?:[ -~]*[!#-&(-~])?$/;

/** A name or a time without invisible characters, unusual spaces and surrounding quotes. Line ends stay. */
export function tidyName(text: string): string {
  if (PLAIN_ASCII.test(text) && !text.includes("  ")) return text;
  const plain = text
    .replace(INVISIBLE, "")
    .replace(/[^\S\r\n]+/g, " ")
    .trim();
  return withoutQuotes(plain);
}

/** A path without invisible characters at its ends. Quotes inside it stay, because file names may contain them. */
export function tidyPath(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return withoutQuotes(text.replace(INVISIBLE_AT_THE_ENDS, ""));
}

/** Removes all layers of quotes, so that tidying twice changes nothing. */
function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  for (;;) {
    const close = QUOTES.get(text.charAt(start));
    if (close === undefined || end - start <= 2 || text.charAt(end - 1) !== close) break;
    start += 1;
    end -= 1;
    while (start < end && INVISIBLE_UNIT.test(text.charAt(start))) start += 1;
    while (start < end && INVISIBLE_UNIT.test(text.charAt(end - 1))) end -= 1;
  }
  return text.slice(start, end);
}

/** A whole number for people: `1,200`. Intl would need some milliseconds for the first one. */
export function formatNumber(value: number): string {
  if (value < 0) return `-${formatNumber(-value)}`;
  const digits = String(value);
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}

/** A whole number with at least two digits: `05`. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

export function rowsText(rows: number): string {
  return rows === 1 ? "1 row" : `${formatNumber(rows)} rows`;
}

/** Compares two texts by their UTF-16 units, for `sort`: the same order on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Whether two lists hold the same texts in the same order. */
export function sameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((each, index) => each === other[index]));
}

/** A longer text is not a mistyped name, in UTF-16 units. */
const LONGEST_NAME = 100;

/** The candidate that a mistyped name most likely means; undefined if none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const folded = foldName(name);
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = editsBetween(folded, foldName(candidate));
    if (edits < (best?.edits ?? Infinity)) best = { candidate, edits };
  }
  // A third of the letters wrong is a typing mistake; more is another word.
  return best !== undefined && best.edits <= Math.max(1, folded.length / 3) ? best.candidate : undefined;
}

/** Letters to add, drop or change. Two neighbours that are swapped count as one mistake. */
function editsBetween(one: string, other: string): number {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const swapped = one.slice(0, start) + one.charAt(start + 1) + one.charAt(start) + one.slice(start + 2);
  return one !== other && swapped === other ? 1 : distance(one, other);
}

/** ` Did you mean …?`, or nothing when no candidate is near. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
}

/** Characters that no shell treats specially. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** What double quotes do not protect. A backslash is special only before one of these. */
const NEEDS_SINGLE_QUOTES = /["$`!]|\\\\|\\$/;

/**
 * A file name or another value as one argument of a command line, quoted if a shell would read it differently. Double
 * quotes work in every shell, even on Windows, so single quotes are only for what double quotes would not protect.
 */
export function shellArgument(text: string): string {
  // A name that starts with a dash would be a flag.
  const value = text.startsWith("-") ? `./${text}` : text;
  if (PLAIN.test(value)) return value;
  return NEEDS_SINGLE_QUOTES.test(value) ? `'${value.replaceAll("'", String.raw`'\''`)}'` : `"${value}"`;
}

/** Longest text that a message quotes, in UTF-16 units. */
const MAX_QUOTED = 80;

/** The beginning of a text, to quote it in a message. */
export function clipped(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
