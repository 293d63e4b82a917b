/**
 * Finds the links and hashtags of a text as X does; Mastodon builds on the same rules. They follow the examples of X's
 * conformance suite, with the top-level domains of today. A test compares them.
 */

import { domainToASCII } from "node:url";
import TLDS from "tlds" with { type: "json" };

export interface Link {
  /** UTF-16 units from the start of the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Latin letters with accents. */
const ACCENTED = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f";
/** One character of a host after `http://`. */
const HOST_UNIT = String.raw`[^\s/?#:@!-,;<=>[-^${"`"}{-~\u2000-\u206f\u3000-\u303f\uff01-\uff20]`;
/** After a letter, digit, `@`, `#` or `$`, it is a part of something else, such as an e-mail address. */
const WITH_SCHEME = String.raw`(?<![a-z0-9@＠$#＃])https?://(?<host>${HOST_UNIT}+)`;
/** Without a scheme, only ASCII and accented letters are a host. Letters of other scripts before it are text. */
const BARE = `(?<![a-z0-9${ACCENTED}@＠$#＃_./-])(?<bare>(?:[a-z0-9_${ACCENTED}-]+\\.)+)`;
const START = new RegExp(WITH_SCHEME, "giu");
const START_OR_BARE = new RegExp(`${WITH_SCHEME}|${BARE}`, "giu");
const QUERY = String.raw`(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*)`;
/** What may follow a host. */
const TAIL = new RegExp(
  String.raw`(?::\d+)?(?:/[\p{sc=Cyrl}\u00c0-\u024fa-z0-9!*';:=+,.$%[\]\-–—_~@|&#()/]*)?${QUERY}?`,
  "iuy",
);
/** The path of X's own short links, which ends where their letters end. */
const SHORT_LINK = new RegExp(`^/(?<slug>[a-z0-9]+)${QUERY}?`, "iu");
const LONGEST_SLUG = 40;
/** Characters at which a link may end. */
const LINK_END = /[\p{L}\p{N}=_#/+&-]/u;

/** Longest name of a host, and longest part of it, in ASCII. Source: RFC 1035, section 2.3.4. */
const MAX_HOST = 253;
const MAX_LABEL = 63;
const TOP_LEVEL = new Set(TLDS);
const LONGEST_TOP_LEVEL = Math.max(...TLDS.map(({ length }) => length));
const PUNYCODE = /xn--[a-z0-9-]+/iy;
/** After a top-level domain, these show that it is part of something else. */
const NOT_AFTER_DOMAIN = /[a-z0-9@+-]/i;

/** The links of a text in their order. `bare` also finds links without http://, such as `example.com`. */
export function findLinks(text: string, { bare }: { bare: boolean }): Link[] {
  if (!text.includes(bare ? "." : "://")) return [];
  const found: Link[] = [];
  const pattern = bare ? START_OR_BARE : START;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const link = linkAt(text, match);
    if (link === undefined) continue;
    found.push(link);
    pattern.lastIndex = link.end;
  }
  return found;
}

function linkAt(text: string, { 0: whole, index: start, groups = {} }: RegExpExecArray): Link | undefined {
  const host = groups["host"];
  const hostStart = start + (host === undefined ? 0 : whole.length - host.length);
  const hostEnd = endOfHost(text, hostStart, start + whole.length);
  if (hostEnd === undefined) return undefined;
  TAIL.lastIndex = hostEnd;
  const tail = TAIL.exec(text)?.[0] ?? "";
  const isShort = host !== undefined && /^t\.co$/i.test(text.slice(hostStart, hostEnd));
  const length = isShort ? shortTail(tail) : partOfLink(tail).length;
  if (length === undefined) return undefined;
  return { start, end: hostEnd + length, text: text.slice(start, hostEnd + length) };
}

/** Length of what belongs to a link on t.co after its host; undefined if the link is too long to be one. */
function shortTail(tail: string): number | undefined {
  const { 0: path, groups = {} } = SHORT_LINK.exec(tail) ?? {};
  if (path === undefined) return partOfLink(tail).length;
  return (groups["slug"] ?? "").length > LONGEST_SLUG ? undefined : partOfLink(path).length;
}

/**
 * The end of the host that starts at `start`: after the last top-level domain before `end`, or after the top-level
 * domain that starts there. `example.com.Then` ends after `com`. Undefined without a valid host.
 */
function endOfHost(text: string, start: number, end: number): number | undefined {
  const from = Math.min(end, start + MAX_HOST);
  for (let dot = text.lastIndexOf(".", from); dot > start; dot = text.lastIndexOf(".", dot - 1)) {
    const topLevel = topLevelAt(text, dot + 1);
    if (topLevel !== undefined && isHost(text.slice(start, dot), topLevel)) return dot + 1 + topLevel.length;
  }
  return undefined;
}

/** The longest top-level domain at a place. Letters of another script may follow it without a space. */
function topLevelAt(text: string, at: number): string | undefined {
  PUNYCODE.lastIndex = at;
  const encoded = PUNYCODE.exec(text)?.[0];
  if (encoded !== undefined) return encoded;
  const rest = text.slice(at, at + LONGEST_TOP_LEVEL).toLowerCase();
  for (let length = rest.length; length >= 2; length -= 1) {
    if (TOP_LEVEL.has(rest.slice(0, length)) && !NOT_AFTER_DOMAIN.test(text.charAt(at + length)))
      return text.slice(at, at + length);
  }
  return undefined;
}

/** Whether a host name can exist: only its subdomains have `_`, and no part starts or ends with `_` or `-`. */
function isHost(name: string, topLevel: string): boolean {
  const labels = name.split(".");
  if (labels.some((label) => !/^[^_-](?:.*[^_-])?$/s.test(label))) return false;
  if (labels.at(-1)?.includes("_") === true) return false;
  const ascii = domainToASCII(`${name}.${topLevel}`);
  return (
    ascii !== "" && ascii.length <= MAX_HOST && ascii.split(".").every(({ length }) => length <= MAX_LABEL)
  );
}

/**
 * A full stop or bracket at the end belongs to the sentence. A bracket that was opened in the link belongs to the link.
 * Removes one character at a time, because a pattern would take quadratic time.
 */
function partOfLink(tail: string): string {
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

/** Letters, marks and digits, and the signs that some languages write within words. */
const TAG_UNIT = String.raw`[\p{L}\p{M}\p{Nd}_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7]`;
/** An emoji may end with a mark, which is not part of a word. */
const NOT_IN_WORD = String.raw`(?<=^|[\ufe0e\ufe0f]|[^&\p{L}\p{M}\p{Nd}_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7])`;
const HASHTAG = new RegExp(
  String.raw`${NOT_IN_WORD}[#＃](?!\ufe0f|\u20e3)(?=${TAG_UNIT}*[\p{L}\p{M}])(?<tag>${TAG_UNIT}+)(?!${TAG_UNIT}|[#＃]|:\/\/)`,
  "gu",
);

/** The hashtags of a text in their order, without `#`. A number is not a hashtag, and neither is a part of a link. */
export function findHashtags(text: string): string[] {
  if (!/[#＃]/.test(text)) return [];
  const links = findLinks(text, { bare: true });
  return [...text.matchAll(HASHTAG)]
    .filter(({ index }) => !links.some(({ start, end }) => start <= index && index < end))
    .map(({ groups = {} }) => groups["tag"] ?? "");
}
