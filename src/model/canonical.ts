/**
 * The canonical form in which desired and remote posts are compared. Both sides pass through these functions, so a
 * service that echoes `.000Z`, `+00:00`, CRLF or platforms in capitals causes no false change.
 */

import { type PostExtras, filledExtras, trimmedTexts } from "./extras.ts";
import type { UtcTime } from "./post.ts";

/** Unicode NFC, `\n` line ends, no white space at the very end; otherwise as written. */
export function canonicalContent(text: string): string {
  const unix = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const composed = MAY_COMPOSE.test(unix) ? unix.normalize("NFC") : unix;
  return composed.trimEnd();
}

/** Characters below U+0300 never combine with others. Source: Unicode, NFC_Quick_Check. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * The extra parts with their texts in the form of content, alt texts also without spaces before them. Empty parts are
 * absent.
 */
export function canonicalExtras({
  alt = [],
  thread = [],
  thread_media = [],
  first_comment = "",
  reply_to = "",
  quote = "",
  poll = [],
  poll_length = "",
  poll_multiple = "",
  expires,
  options = [],
}: PostExtras): PostExtras {
  const replies = thread
    .map((text, index) => ({ text: canonicalContent(text), media: thread_media[index] ?? 0 }))
    .filter(({ text, media }) => text !== "" || media > 0);
  return filledExtras({
    alt: trimmedTexts(alt.map(canonicalContent)),
    thread: replies.map(({ text }) => text),
    thread_media: withoutEndingZeros(replies.map(({ media }) => media)),
    first_comment: canonicalContent(first_comment),
    reply_to: reply_to.trim(),
    quote: quote.trim(),
    poll: poll.map(canonicalContent),
    poll_length,
    poll_multiple,
    expires,
    options: [...new Set(options.map(canonicalContent))].sort(),
  });
}

function withoutEndingZeros(counts: readonly number[]): readonly number[] {
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}

/** Lower case, sorted, unique. */
export function canonicalPlatforms(names: readonly string[]): readonly string[] {
  if (areCanonical(names)) return names;
  return [...new Set(names.map((name) => name.trim().toLowerCase()))].sort();
}

/** Nearly every list is already sorted, unique and in lower case: then return it unchanged. */
function areCanonical(names: readonly string[]): boolean {
  let before: string | undefined;
  for (const name of names) {
    if (name !== name.trim().toLowerCase() || (before !== undefined && before >= name)) return false;
    before = name;
  }
  return true;
}

/** The form that the service takes, from ms since the epoch. Fractions of a second are dropped. */
export function utcTime(ms: number): UtcTime {
  return `${new Date(ms).toISOString().slice(0, -5)}Z`;
}

/** Ms since the epoch of a time in the service's form. */
export function utcMs(time: UtcTime): number {
  return Date.parse(time);
}

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads an instant in any ISO 8601 form: extended or basic, with or without seconds and fractions. Without `Z` or an
 * offset, the text is in the offset `offsetIfNone`. Returns ms since the epoch, or undefined if the text is not a real
 * date and time.
 */
export function isoInstant(text: string, offsetIfNone: "Z" | undefined): number | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = "00", offset = offsetIfNone] = match;
  if (offset === undefined) return undefined;
  const local = wallMs([year, month, day, hour, minute, second].map(Number));
  if (local === undefined) return undefined;
  const shift = offsetMs(offset);
  return shift === undefined ? undefined : local - shift;
}

/** Ms since the epoch if the wall clock's numbers were UTC. Undefined if the date or time does not exist. */
export function wallMs(parts: readonly number[]): number | undefined {
  // By index: destructuring would create an iterator, and this runs for each row.
  const year = parts[0] ?? 0;
  const month = parts[1] ?? 0;
  const day = parts[2] ?? 0;
  const hour = parts[3] ?? 0;
  const minute = parts[4] ?? 0;
  const second = parts[5] ?? 0;
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // Every month has 28 days, so nearly all dates need no look at the calendar.
  if (month >= 1 && month <= 12 && day >= 1 && day <= 28) return ms;
  const back = new Date(ms);
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === day ? ms : undefined;
}

function offsetMs(offset: string): number | undefined {
  if (offset.toUpperCase() === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || "0");
  if (hours > 18 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
