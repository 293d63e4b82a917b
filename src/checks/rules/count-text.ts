/**
 * Counts the length of a text as networks do, and finds its links as they do. All counts are of the text in Unicode
 * NFC, as it is sent. Source of links: the tests of twitter-text's conformance suite, on which X and Mastodon build.
 * This includes the rarer forms (paths in Cyrillic, links without blanks between CJK letters).
 */

import type { Count } from "../../settings/limits.ts";

/** Length of any link. Source: twitter-text configuration v3; docs.joinmastodon.org. */
const LINK_LENGTH = 23;
/** Length of any emoji. Source: twitter-text configuration v3, `emojiParsingEnabled`. */
const EMOJI_LENGTH = 2;
/** Characters that count 2; all others count 1. Source: twitter-text configuration v3, `ranges`. */
// oxlint-disable-next-line no-control-regex
const WIDE = /[^\u0000-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/gu;
/** The same for UTF-16 units; a surrogate counts 1. */
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
/**
 * The time of Node's segmenter grows with the square of the text's length, so it gets short pieces. Each piece starts
 * where a grapheme does: at a blank, or in a long run of letters where no letter combines with the previous one.
 */
const PIECES =
  /[^]\S{0,200}(?:[\p{M}\p{Join_Control}\p{Variation_Selector}\p{Emoji_Modifier}\u{E0020}-\u{E007F}]|(?<=\u200D)\S){0,50}/gu;
/** `@name@example.social` counts as `@name`. Source: docs.joinmastodon.org, "Posting to your profile". */
const MENTION = /(?<![\w/])(@\w+)@[\w.-]+\w/g;

const COUNTERS: Readonly<Record<Count, (text: string) => number>> = {
  characters: codePoints,
  utf16: ({ length }) => length,
  graphemes,
  bytes: (text) => Buffer.byteLength(text),
  twitter: (text) => weighted(withEqualLinks(text, { bare: true })),
  mastodon: (text) => graphemes(withEqualLinks(text, { bare: false }).replace(MENTION, "$1")),
  threads: emojiInBytes,
};

/** The length of a text. Never negative; 0 only for an empty text. */
export function countText(text: string, count: Count): number {
  return COUNTERS[count](text.normalize("NFC"));
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
    else for (const _ of segmenter().segment(piece)) count += 1;
  }
  return count;
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

/** Emoji with all their parts: skin tones, joined ones, flags. */
function emojiIn(text: string): string[] {
  return (text.match(EMOJI_RUN) ?? []).flatMap((run) => run.match(emojiPattern()) ?? []);
}

/** The text with each link replaced by as many letters as it counts. */
function withEqualLinks(text: string, { bare }: { bare: boolean }): string {
  let equal = "";
  let end = 0;
  for (const link of findLinks(text, { bare })) {
    equal += text.slice(end, link.start) + "x".repeat(LINK_LENGTH);
    end = link.end;
  }
  return equal + text.slice(end);
}

/** Creating either takes a millisecond or more, and most runs need neither. */
let madeSegmenter: Intl.Segmenter | undefined;
let madeEmojiPattern: RegExp | undefined;

function segmenter(): Intl.Segmenter {
  madeSegmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return madeSegmenter;
}

/** The `v` flag is newer than the compile target. */
function emojiPattern(): RegExp {
  madeEmojiPattern ??= new RegExp(String.raw`\p{RGI_Emoji}`, "gv");
  return madeEmojiPattern;
}

import TLDS from "tlds" with { type: "json" };

export interface Link {
  /** UTF-16 units from the start of the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Characters at which a link may end. */
const LINK_END = /[\p{L}\p{N}=_#/+&-]/u;
/** Longest name of a host. Source: RFC 1035, section 2.3.4. */
const MAX_HOST = 253;
const TOP_LEVEL = new Set(TLDS);

/** After a letter, digit, `@`, `#` or the like, it is a part of something else, such as an e-mail address. */
const NOT_AFTER = String.raw`(?<![a-z0-9@＠$#＃_./-])`;
const WITH_SCHEME = String.raw`https?://(?<host>[^\s/?#:@!-,;<=>[-^{-~\u2000-\u206f\u3000-\u303f\uff01-\uff20]+)`;
/** Without a scheme, only ASCII hosts are links. */
const BARE = String.raw`(?<bare>[a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?![\w@-]|\.\w)`;
const TAIL = String.raw`(?<port>:\d+)?(?<path>/[\p{sc=Cyrl}\u00c0-\u024fa-z0-9!*';:=+,.$%[\]\-–—_~@|&#()/]*)?(?<query>\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*)?`;
const LINK = new RegExp(`${NOT_AFTER}${WITH_SCHEME}${TAIL}`, "giu");
const LINK_OR_BARE = new RegExp(`${NOT_AFTER}(?:${WITH_SCHEME}|${BARE})${TAIL}`, "giu");

/** The links of a text in their order. `bare` also finds those without http://, such as `example.com`. */
export function findLinks(text: string, { bare }: { bare: boolean }): Link[] {
  if (!text.includes(bare ? "." : "://")) return [];
  const found: Link[] = [];
  for (const match of text.matchAll(bare ? LINK_OR_BARE : LINK)) {
    const link = asLink(match);
    if (link !== undefined) found.push(link);
  }
  return found;
}

function asLink({ 0: whole, index, groups = {} }: RegExpExecArray): Link | undefined {
  const host = groups["host"] ?? groups["bare"] ?? "";
  const domain = domainIn(host);
  if (domain === undefined) return undefined;
  const start = index;
  const hostEnd = start + whole.indexOf(host) + domain.length;
  const tail = domain.length < host.length ? "" : whole.slice(hostEnd - start);
  // `name.xx` on its own is more often a missing blank than a link, except for two common endings.
  const isShort =
    groups["bare"] !== undefined && !/^\/|^:\d+\//.test(tail) && /^[^.]+\.[a-z]{2}$/i.test(domain);
  if (isShort && !/\.(?:co|tv)$/i.test(domain)) return undefined;
  const end = hostEnd + withoutPunctuation(tail).length;
  return { start, end, text: whole.slice(0, end - start) };
}

/**
 * The part of a host up to its last top-level domain: `example.com` for `example.com.Then`. Letters of another script
 * that follow without a blank are text.
 */
function domainIn(host: string): string | undefined {
  const labels = host.slice(0, MAX_HOST).split(".");
  for (let count = labels.length; count >= 2; count -= 1) {
    const before = labels.slice(0, count - 1);
    const last = labels[count - 1] ?? "";
    const ending = [last, /^[a-z0-9-]+/i.exec(last)?.[0] ?? ""].find(isTopLevel);
    if (ending !== undefined && !before.includes("")) return [...before, ending].join(".");
  }
  return undefined;
}

function isTopLevel(label: string): boolean {
  const lower = label.toLowerCase();
  return TOP_LEVEL.has(lower) || /^xn--[a-z0-9-]+$/.test(lower);
}

/**
 * A full stop or bracket at the end belongs to the sentence. A bracket that was opened in the link belongs to the link.
 * Removes one character at a time, because a pattern would take quadratic time.
 */
function withoutPunctuation(tail: string): string {
  let opened = tail.split("(").length;
  let closed = tail.split(")").length;
  for (let end = tail.length; end > 0; end -= 1) {
    const last = tail[end - 1] ?? "";
    if (last === "(") opened -= 1;
    else if (last === ")" && closed > opened) closed -= 1;
    else if (last === ")" || LINK_END.test(last)) return tail.slice(0, end);
  }
  return "";
}
