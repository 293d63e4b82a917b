/**
 * The links, mentions and tags of a text on Bluesky. The grammar is that of Bluesky's own app (`detectFacets` of
 * @atproto/api), because people know from the app what becomes a link. It differs only where the app breaks a link, cuts a
 * tag or mentions somebody else: the test of this file lists each difference. Pure.
 */

import TLDS from "tlds" with { type: "json" };
import { parseUrl } from "../../model/address.ts";

/** A part of a text with a meaning. `start` and `end` are UTF-16 units, `end` exclusive. */
export type RichPart = { readonly start: number; readonly end: number } & (
  | { readonly kind: "link"; readonly uri: string }
  /** The handle, without `@`, in lower case. */
  | { readonly kind: "mention"; readonly handle: string }
  /** Without `#`; a stock symbol has its `$`. */
  | { readonly kind: "tag"; readonly tag: string }
);

/**
 * How an account shows links. `short`: without the scheme, and with the start of a long path, as the app does.
 * `markdown`: the same, and `[text](https://…)` is a link with this text.
 */
export type LinkStyle = "written" | "short" | "markdown";

/** A text as readers see it, with the parts at their places in it. */
export interface RichText {
  readonly text: string;
  readonly parts: readonly RichPart[];
}

/** What Bluesky shows of a text that somebody wrote. */
export function richText(written: string, style: LinkStyle = "written"): RichText {
  const named = style === "markdown" ? withNamedLinks(written) : { text: written, parts: [] };
  const others = richParts(named.text).filter((part) => !named.parts.some((link) => overlap(part, link)));
  const parts = [...named.parts, ...others].sort((one, other) => one.start - other.start);
  return style === "written" ? { text: written, parts } : withShortLinks({ text: named.text, parts });
}

/** The text and the address of a link in Markdown. A picture, which has `!` before it, is none. */
const NAMED_LINK =
  /(?<![!\\])\[(?<name>[^[\]\n]{1,300})\]\((?<uri>https?:\/\/[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)\)/giu;

/** The links in Markdown of a text, as they are written. */
export function namedLinksIn(text: string): readonly string[] {
  return text.includes("](") ? [...text.matchAll(NAMED_LINK)].map(([whole]) => whole) : [];
}

function withNamedLinks(written: string): RichText {
  const parts: RichPart[] = [];
  let [text, done] = ["", 0];
  for (const { 0: whole, index, groups = {} } of written.matchAll(NAMED_LINK)) {
    const { name = "", uri = "" } = groups;
    if (name.trim() === "" || parseUrl(uri) === undefined) continue;
    text += written.slice(done, index);
    parts.push({ kind: "link", start: text.length, end: text.length + name.length, uri });
    text += name;
    done = index + whole.length;
  }
  return { text: text + written.slice(done), parts };
}

/** Links that show their own address become shorter. */
function withShortLinks({ text: long, parts }: RichText): RichText {
  const moved: RichPart[] = [];
  let [text, done] = ["", 0];
  for (const part of parts) {
    text += long.slice(done, part.start);
    const written = long.slice(part.start, part.end);
    const shown = part.kind === "link" && part.uri === written ? shortAddress(written) : written;
    moved.push({ ...part, start: text.length, end: text.length + shown.length });
    text += shown;
    done = part.end;
  }
  return { text: text + long.slice(done), parts: moved };
}

/** Longest path with query that the app shows whole, and how much it shows of a longer one. */
const [LONGEST_PATH, SHOWN_PATH] = [15, 13];

/** `example.com/long/path/o...`. Source: `toShortUrl` in src/lib/strings/url-helpers.ts of the app, 2026-11. */
function shortAddress(link: string): string {
  const { host = "", path = "" } =
    /^https?:\/\/(?:[^/?#@]*@)?(?<host>[^/?#]*)(?<path>.*)$/isu.exec(link)?.groups ?? {};
  if (path === "/") return host;
  return path.length <= LONGEST_PATH ? host + path : `${host}${wholeCharacters(path, SHOWN_PATH)}...`;
}

/** The start of a text, without a half of a character at its end. */
function wholeCharacters(text: string, units: number): string {
  const start = text.slice(0, units);
  return start.replace(/(?:[\ud800-\udbff]|%[\da-f]?)$/i, "");
}

/** All parts in their order. No two overlap: a link is found before what looks like a tag or a mention in it. */
export function richParts(text: string): readonly RichPart[] {
  const found: RichPart[] = [];
  for (const find of [links, tags, mentions, stockSymbols]) {
    const others = [...found];
    for (const part of find(text)) {
      if (!others.some((other) => overlap(part, other))) found.push(part);
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

function overlap(one: RichPart, other: RichPart): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Invisible marks of direction. Keyboards and programs put them around words in Arabic and Hebrew texts. */
const DIRECTION = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;

/**
 * What may be before a part: the app accepts the start, a blank and `(`. Other opening signs are as clear. Some languages
 * open a quotation with the sign that closes one elsewhere: »…«.
 */
const OPENING = String.raw`\s<"'\p{Ps}\p{Pi}\p{Pf}${DIRECTION}\u3001\u3002\uff0c\uff01\uff1a\uff1b\uff1f`;
const BEFORE = `(?<=^|[${OPENING}])`;
/** Around links, people also write signs of Markdown, and arrows. */
const BEFORE_LINK = String.raw`(?<=^|[${OPENING}*_~${"`"}|>\p{Sm}])`;
/** `that's.it` is a missing blank: an apostrophe in a word opens nothing. */
const NOT_IN_WORD = String.raw`(?<![\p{L}\p{N}]['\u2019])`;

/**
 * Signs that end a link wherever they are: quotes, angle brackets, invisible characters, and the punctuation of scripts
 * that put no blank after it. A browser writes each of them as `%..` in an address.
 */
const LINK_UNIT = String.raw`[^\s<>"${"`"}\p{Pi}\p{Pf}${DIRECTION}\u2060\ufeff\u200b\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff65\u060c\u061b\u061f]`;
const WITH_SCHEME = new RegExp(`${BEFORE_LINK}https?://${LINK_UNIT}+`, "giu");
/** Without a scheme: a host in ASCII, and what may follow it. */
const BARE = new RegExp(
  String.raw`${BEFORE_LINK}${NOT_IN_WORD}(?<host>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)(?<tail>(?::\d+)?(?:[/?#]${LINK_UNIT}*)?)(?![\w@]|-\w|[\p{sc=Latin}\p{M}])`,
  "giu",
);

const TOP_LEVEL = new Set(TLDS);

function* links(text: string): Generator<RichPart> {
  if (text.includes("://"))
    for (const { 0: whole, index } of text.matchAll(WITH_SCHEME)) {
      const link = withoutSentenceEnd(withoutLettersAfterHost(whole), text[index - 1]);
      if (isWholeAddress(link)) yield { kind: "link", start: index, end: index + link.length, uri: link };
    }
  if (!text.includes(".")) return;
  for (const { index, groups = {} } of text.matchAll(BARE)) {
    const host = wholeHost(groups["host"] ?? "");
    if (host === undefined) continue;
    const tail = host === groups["host"] ? (groups["tail"] ?? "") : "";
    const link = withoutSentenceEnd(host + tail, text[index - 1]);
    const uri = `https://${link}`;
    if (parseUrl(uri) !== undefined) yield { kind: "link", start: index, end: index + link.length, uri };
  }
}

/**
 * The host of a link without a scheme; undefined if it is none. As in the app, its top-level domain has only small
 * letters: `today.In` is a missing blank. So the `Then` in `example.com.Then` begins the next sentence.
 */
function wholeHost(host: string): string | undefined {
  const labels = host.split(".");
  if (labels.length > 2 && /^[A-Z]/.test(labels.at(-1) ?? "")) labels.pop();
  if (!/^[a-z]/i.test(labels[0] ?? "") || !TOP_LEVEL.has(labels.at(-1) ?? "")) return undefined;
  return labels.join(".");
}

/** `https://example.comさん`: letters of another script after a top-level domain are text. */
function withoutLettersAfterHost(link: string): string {
  const { 0: host = "" } = /^https?:\/\/[^/?#:]*/i.exec(link) ?? {};
  const { 0: ascii = "", groups = {} } = /^https?:\/\/(?:[\w-]+\.)+(?<top>[a-z]+)/i.exec(host) ?? {};
  const isText = ascii !== host && TOP_LEVEL.has((groups["top"] ?? "").toLowerCase());
  return isText && /^[^\p{sc=Latin}.:@_-]/u.test(host.slice(ascii.length)) ? ascii : link;
}

function isWholeAddress(link: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(link) && parseUrl(link) !== undefined;
}

/**
 * Signs at the end of a link that belong to the sentence, or to the text's markup. A browser writes the punctuation of other
 * scripts, such as `।`, as `%..` in an address.
 */
const SENTENCE_END = /[.,;:!?'*~|\\]$|(?![\0-\x7f])\p{Po}$/u;
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * Without the signs that end the sentence. A closing bracket belongs to the link only if it was opened in the link, and
 * `_` only if none is before the link.
 */
function withoutSentenceEnd(link: string, before = ""): string {
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link[end - 1] ?? "";
    const opening = BRACKETS[last];
    const isMarkup = last === "_" && before === "_";
    const isSurplus = opening !== undefined && count(link, last, end) > count(link, opening, end);
    if (!SENTENCE_END.test(last) && !isMarkup && !isSurplus) break;
  }
  return link.slice(0, end);
}

function count(text: string, sign: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1 && at < end; at = text.indexOf(sign, at + 1)) found += 1;
  return found;
}

/**
 * A handle is a host name in ASCII. The whole run of its letters counts, or nothing: a shorter part of it would be
 * somebody else. What follows must not belong to it, as in `@alice.example@social.example`, `@acme.com/tools`, `@a.de_b` or
 * `@a.comé`. Letters of other scripts and emoji end it. Source of the form: atproto.com, "Handle".
 */
const MENTION = new RegExp(
  String.raw`${BEFORE}@(?<handle>[a-z0-9.-]+)(?![@_]|/[a-z0-9]|[\p{sc=Latin}\p{M}\p{N}])`,
  "giu",
);
const HANDLE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?<top>[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;
const MAX_HANDLE = 253;

function* mentions(text: string): Generator<RichPart> {
  if (!text.includes("@")) return;
  for (const { 0: whole, index, groups = {} } of text.matchAll(MENTION)) {
    const run = groups["handle"] ?? "";
    // The pattern gives up letters at the end of a run rather than finding nothing.
    if (/^[a-z0-9.-]/i.test(text.slice(index + whole.length, index + whole.length + 1))) continue;
    const handle = run.replace(/[.-]{1,9}$/, "").toLowerCase();
    if (!isHandle(handle)) continue;
    yield { kind: "mention", start: index, end: index + 1 + handle.length, handle };
  }
}

function isHandle(handle: string): boolean {
  const top = HANDLE.exec(handle)?.groups?.["top"];
  return top !== undefined && handle.length <= MAX_HANDLE && (top === "test" || TOP_LEVEL.has(top));
}

/** A tag ends at a blank, and at invisible characters, as in the app. So it does at marks of direction. */
const TAG = new RegExp(
  String.raw`${BEFORE}[#＃](?!\ufe0f)(?<run>[^\s${DIRECTION}\u00ad\u2060\u200a\u200b\u200c\u200d\u20e2]+)`,
  "gu",
);
/** Longest tag without `#`, by the lexicon and the app. */
const MAX_TAG = 64;

function* tags(text: string): Generator<RichPart> {
  if (!/[#＃]/.test(text)) return;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const { index, groups = {} } = match;
    const tag = withoutPunctuation(groups["run"] ?? "", text[index - 1]);
    // A tag has at least one character that is neither a digit nor punctuation.
    if (tag.length > MAX_TAG || !/[^\d\p{P}]/u.test(tag)) continue;
    const end = index + 1 + tag.length;
    yield { kind: "tag", start: index, end, tag };
    // Another tag may follow in the same run, after a closing bracket.
    TAG.lastIndex = end;
  }
}

/** Without punctuation at the end, and without what follows the sign that closes one before the tag. */
function withoutPunctuation(tag: string, before = ""): string {
  const closing = CLOSING[before];
  const own = closing === undefined || !tag.includes(closing) ? tag : tag.slice(0, tag.indexOf(closing));
  let end = own.length;
  while (end > 0 && /\p{P}/u.test(own[end - 1] ?? "")) end -= 1;
  return own.slice(0, end);
}

const CLOSING: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "<": ">",
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "「": "」",
  "『": "』",
  "（": "）",
  "【": "】",
};

/** `$ACME`, which the app stores as a tag in capitals. */
const STOCK_SYMBOL = /(?<=^|[\s(])\$(?<symbol>[A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/gu;

function* stockSymbols(text: string): Generator<RichPart> {
  if (!text.includes("$")) return;
  for (const { 0: whole, index, groups = {} } of text.matchAll(STOCK_SYMBOL)) {
    const tag = `$${(groups["symbol"] ?? "").toUpperCase()}`;
    yield { kind: "tag", start: index, end: index + whole.length, tag };
  }
}
