/**
 * Links in a text, as the networks find them. Source: the tests of twitter-text's conformance suite, on which X and
 * Mastodon build; the rarer forms (paths in Cyrillic, links without blanks between CJK letters) are followed as well.
 */

import TLDS from "tlds" with { type: "json" };

export interface Link {
  /** UTF-16 units from the start of the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a link may end with. */
const LINK_END = /[\p{L}\p{N}=_#/+&-]/u;
/** Longest name of a host. Source: RFC 1035, section 2.3.4. */
const MAX_HOST = 253;
const TOP_LEVEL = new Set(TLDS);

/** A letter, digit, `@`, `#` or the like before it makes it a part of something else, such as an e-mail address. */
const NOT_AFTER = String.raw`(?<![a-z0-9@＠$#＃_./-])`;
const WITH_SCHEME = String.raw`https?://(?<host>[^\s/?#:@!-,;<=>[-^{-~\u2000-\u206f\u3000-\u303f\uff01-\uff20]+)`;
/** Without a scheme only hosts in ASCII are links. */
const BARE = String.raw`(?<bare>[a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?![\w@-]|\.\w)`;
const TAIL = String.raw`(?<port>:\d+)?(?<path>/[\p{sc=Cyrl}\u00c0-\u024fa-z0-9!*';:=+,.$%[\]\-–—_~@|&#()/]*)?(?<query>\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*)?`;
const LINK = new RegExp(`${NOT_AFTER}${WITH_SCHEME}${TAIL}`, "giu");
const LINK_OR_BARE = new RegExp(`${NOT_AFTER}(?:${WITH_SCHEME}|${BARE})${TAIL}`, "giu");

/** The links of a text in their order. `bare` finds those without http:// as well, such as `example.com`. */
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
  // `name.xx` alone is more often a missing blank than a link, but for the two endings that are used so.
  const isShort =
    groups["bare"] !== undefined && !/^\/|^:\d+\//.test(tail) && /^[^.]+\.[a-z]{2}$/i.test(domain);
  if (isShort && !/\.(?:co|tv)$/i.test(domain)) return undefined;
  const end = hostEnd + withoutPunctuation(tail).length;
  return { start, end, text: whole.slice(0, end - start) };
}

/**
 * The part of a host up to its last top-level domain: of `example.com.Then` that is `example.com`. Letters of another
 * script that follow without a blank are text.
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
 * A full stop or bracket at the end belongs to the sentence, a bracket that was opened in the link to the link. By
 * steps from the end: a pattern for it would take time by the square of the length.
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
