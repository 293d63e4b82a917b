/** Rules about texts: length, hashtags, links. */

import { REFERENCES } from "../../model/extras.ts";
import { networkOf, optionsOn } from "../../model/options/catalogue.ts";
import { clipped, formatNumber } from "../../model/text.ts";
import { parseUrl } from "../../model/address.ts";
import type { Count, Limits } from "../../settings/limits.ts";
import { namedLinksIn } from "../networks/bluesky-rich-text.ts";
import { type AccountLimits, TEXT_SEPARATOR } from "../networks/account-limits.ts";
import type { PlatformLimits } from "../networks/network-names.ts";
import { wordInBraces } from "../series/occurrence-row.ts";
import { countText, fitsWithoutCounting } from "./count-text.ts";
import { findHashtags, findLinks } from "./links-and-tags.ts";
import {
  type CheckedPost,
  type Finding,
  type Rule,
  NO_FINDINGS,
  type PostText,
  contentOf,
  countWithNoun,
  mediaFiles,
  isPostFile,
  repliesOf,
  textsOf,
} from "./rule.ts";

/** Details of a count that may surprise the author. */
const NOTES: Readonly<Record<Count, string>> = {
  characters: "",
  utf16: "; an emoji counts as 2 or more",
  graphemes: "",
  bytes: "; letters beyond ASCII count as 2 to 4",
  twitter: "; links count as 23, emoji and wide letters as 2",
  mastodon: "; links count as 23",
  threads: "; an emoji counts as its bytes, 4 or more",
};

/** A limit on the length of a text. */
interface TextLimit {
  readonly count: Count;
  readonly limit: number;
}

/** The length of a text and its limit, both in the unit of `count`. */
interface TextLength extends TextLimit {
  readonly length: number;
}

/** The text as the network counts it, and its bytes if those are limited too. */
export const textTooLong: Rule = {
  code: "content/too-long",
  severity: "warning",
  rule: "A text is not too long for any of its networks. Each network counts in its own way.",
  cause:
    "The text is longer than the network allows. An emoji or a link may count as more than one character.",
  fix: "Shorten it, or give that network its own text in a column such as `content:twitter`.",
  of: "platform",
  isRefusal: true,
  check: (post, platform) => {
    const finding = tooLong(
      contentOf(post),
      textLimits(post, platform.limits),
      platform,
      (count) => countedText(post, count, platform),
      () => ownTextWay(post, platform),
    );
    if (finding !== undefined) return [finding];
    if (post.thread === undefined && post.first_comment === undefined) return NO_FINDINGS;
    const { account } = platform;
    if (account?.joinsTexts === true) return NO_FINDINGS;
    const warning = warningOf(post, platform.platform);
    const limits = limitsOfTexts(platform.limits);
    return repliesOf(post).flatMap((reply) => {
      const text = account?.shown?.(reply.text) ?? reply.text;
      return tooLong(reply, limits, platform, (count) => ({ text, ...extraOf(warning, count) })) ?? [];
    });
  },
};

/** A typing mistake would be published again and again. */
export const unknownVariable: Rule = {
  code: "row/unknown-variable",
  severity: "error",
  rule: "In the text of a row that repeats, each word in braces is a variable.",
  cause: "The text has a word in braces, and `{date}` and `{n}` are the only variables.",
  fix: "Correct the word. If the text needs braces, turn the rule off.",
  of: "post",
  check: (post) => {
    if (post.series === undefined) return NO_FINDINGS;
    return textsOf(post).flatMap(({ name: _name, text, ...place }): Finding[] => {
      const word = wordInBraces(text);
      if (word === undefined) return [];
      const message = `plancast has no variable ${word}. Rows that repeat can use {date} and {n}. Correct the word.`;
      return [{ message, ...place }];
    });
  },
};

/** The first line of a part: `1/3`, `(1/3)` or `1/`. */
const NUMBERED_PART = /^\s{0,5}\(?([12])\/\d{0,2}(?:[).:\s]|$)/;

export const numberedParts: Rule = {
  code: "content/numbered-parts",
  severity: "warning",
  rule: "A text is one post, not the parts `1/3`, `2/3` and `3/3` of a thread.",
  cause: "Lines of the text begin with `1/3` and `2/3`, and plancast publishes the whole text as one post.",
  fix: "Write a line `---` between the posts of a thread. If the text is one post with a numbered list, turn the rule off.",
  of: "post",
  check: ({ content, thread = [] }) => {
    if (thread.length > 0 || !content.includes("2/")) return NO_FINDINGS;
    const numbers = new Set(content.split("\n").map((line) => NUMBERED_PART.exec(line)?.[1]));
    if (!numbers.has("1") || !numbers.has("2")) return NO_FINDINGS;
    const message =
      "The text looks like several posts of a thread, and plancast publishes it as one post. For a thread, write a line `---` between its posts.";
    return [{ message, field: "content" }];
  },
};

/** How much of each limit a text uses, in the order of the checks. */
export function textLengths(post: CheckedPost, platform: PlatformLimits): TextLength[] {
  return textLimits(post, platform.limits).map((each) => {
    const { text, extra } = countedText(post, each.count, platform);
    return { ...each, length: countText(text, each.count) + extra };
  });
}

/** A text as the account gets it, and the length of what counts with it. */
interface CountedText {
  readonly text: string;
  readonly extra: number;
  readonly note: string;
}

function countedText(post: CheckedPost, count: Count, { account, platform }: PlatformLimits): CountedText {
  const isMore = account?.joinsTexts === true && repliesOf(post).length > 0;
  const text = isMore
    ? [post.content, ...repliesOf(post).map((reply) => reply.text)].join(TEXT_SEPARATOR)
    : (account?.shown?.(post.content) ?? post.content);
  return { text, ...extraOf(warningOf(post, platform), count), ...(isMore ? { note: JOINED } : {}) };
}

/** A text that counts with each text of a post. */
function warningOf({ options }: CheckedPost, platform: string): string | undefined {
  return options === undefined ? undefined : optionsOn(platform, options).get("content_warning");
}

function extraOf(warning: string | undefined, count: Count): Omit<CountedText, "text"> {
  return warning === undefined ? { extra: 0, note: "" } : { extra: countText(warning, count), note: WARNED };
}

const WARNED = "; the content warning counts, too";
const JOINED = "; thread and first comment count, too";

function textLimits(post: CheckedPost, limits: Limits): readonly TextLimit[] {
  const { text_images: beside } = limits;
  return limitsOfTexts(beside !== undefined && hasOnlyPictures(post) ? { ...limits, text: beside } : limits);
}

function limitsOfTexts({ count = "characters", text, text_bytes: bytes }: Limits): readonly TextLimit[] {
  return [
    ...(text === undefined ? [] : [{ count, limit: text }]),
    ...(bytes === undefined ? [] : [{ count: "bytes" as const, limit: bytes }]),
  ];
}

/** The first limit that a text exceeds. @param otherWay what helps besides a shorter text */
function tooLong(
  { name, text: written, ...place }: PostText,
  limits: readonly TextLimit[],
  { title, account }: PlatformLimits,
  counted: (count: Count) => CountedText,
  otherWay = (): string => "",
): Finding | undefined {
  for (const { count, limit } of limits) {
    const { text, extra, note } = counted(count);
    if (fitsWithoutCounting(text, count, limit - extra)) continue;
    const length = countText(text, count) + extra;
    if (length <= limit) continue;
    const what = count === "bytes" ? `bytes that ${title} allows` : `characters as ${title} counts them`;
    const message =
      `${name} has ${formatNumber(length)} of ${formatNumber(limit)} ${what}${NOTES[count]}${note}. ` +
      `Shorten it by ${formatNumber(length - limit)}${otherWay()}${withSetting(written, { count, limit }, account)}.`;
    return { ...place, message };
  }
  return undefined;
}

/** The setting of the account with which a text fits; empty without one. */
function withSetting(text: string, { count, limit }: TextLimit, account?: AccountLimits): string {
  const { otherwise } = account ?? {};
  const length = otherwise === undefined ? Infinity : countText(otherwise.shown(text), count);
  if (otherwise === undefined || length > limit) return "";
  return `, or set \`${otherwise.setting}\` for the account in plancast.yaml, with which it counts ${formatNumber(length)}`;
}

/** Where a row of several platforms has the text for one of them. Formats without columns have keys. */
function ownTextWay(
  { platforms, source: { file } }: CheckedPost,
  { title, platform }: PlatformLimits,
): string {
  if (platforms.length === 1) return "";
  const place =
    isPostFile(file) || /\.ya?ml$/i.test(file)
      ? `under \`variants: { ${platform}: { content: … } }\``
      : `in a column \`content:${platform}\``;
  return `, or give ${title} its own text ${place}`;
}

function hasOnlyPictures(post: CheckedPost): boolean {
  const files = mediaFiles(post);
  return (
    files.length > 0 && files.length === post.media?.length && files.every(({ kind }) => kind !== "video")
  );
}

export const tooManyHashtags: Rule = {
  code: "content/hashtags",
  severity: "warning",
  rule: "A text has no more hashtags than the network allows.",
  cause: "The text has more hashtags than the network allows.",
  fix: "Remove some.",
  of: "platform",
  check: ({ content }, { title, limits: { hashtags } }) => {
    if (hashtags === undefined) return NO_FINDINGS;
    const count = findHashtags(content).length;
    if (count <= hashtags) return NO_FINDINGS;
    const message = `The text has ${countWithNoun(count, "hashtag")}, but ${title} allows only ${hashtags}. Remove ${count - hashtags}.`;
    return [{ message, field: "content" }];
  },
};

/** Different links: a repeated one counts once. */
export const tooManyLinks: Rule = {
  code: "content/links",
  severity: "warning",
  rule: "A text has no more links than the network allows.",
  cause: "The text has more links than the network allows.",
  fix: "Remove some.",
  of: "platform",
  check: ({ content }, { title, limits: { links } }) => {
    // Text without a link has one part here; with one link, two.
    if (links === undefined || content.split("://", links + 2).length - 1 <= links) return NO_FINDINGS;
    const { size } = new Set(findLinks(content, { bare: false }).map(({ text }) => text));
    if (size <= links) return NO_FINDINGS;
    const message = `The text has ${countWithNoun(size, "different link")}, but ${title} allows only ${links}. Remove ${size - links}.`;
    return [{ message, field: "content" }];
  },
};

export const markdownLinks: Rule = {
  code: "content/markdown-link",
  severity: "error",
  rule: "A text has no links in Markdown, such as `[text](https://…)`, where readers would see the brackets.",
  cause: "The network shows a link in Markdown as it is written.",
  fix: "Write the address. On your own account on Bluesky, set `links: markdown`. For a network that shows Markdown, turn the rule off.",
  of: "platform",
  check: (post, { title, platform, account }) => {
    if (account?.showsMarkdown === true) return NO_FINDINGS;
    const isOwn = networkOf(platform) === "bluesky" && account !== undefined;
    const way = isOwn ? "Set `links: markdown` for the account, or write the address." : "Write the address.";
    return textsOf(post).flatMap(({ name, text, ...place }): Finding[] => {
      const [link] = place.field === "alt" ? [] : namedLinksIn(text);
      if (link === undefined) return [];
      const shown = `${name} contains \`${clipped(link)}\`, and readers on ${title} see it like this.`;
      return [{ ...place, message: `${shown} ${way}` }];
    });
  },
};

const REFERENCE_WORDS = {
  reply_to: { what: "The post answers another one", verb: "answer a post" },
  quote: { what: "The post quotes another one", verb: "quote a post" },
} as const;

export const references: Rule = {
  code: "row/reference",
  severity: "error",
  rule: "A post answers or quotes another one only where plancast can do this: on your own accounts on Bluesky and, for answers, Mastodon.",
  cause:
    "The network does not have them, or plancast does not publish there itself, or the address is not one of a post there.",
  fix: "Give each network a row of its own, with the address of the post as a browser shows it.",
  of: "platform",
  check: (post, { title, account }) =>
    REFERENCES.flatMap((field): Finding[] => {
      const address = post[field];
      if (address === undefined) return [];
      const form = account?.refersTo?.[field];
      const { what, verb } = REFERENCE_WORDS[field];
      const lacks = `${what}, and plancast cannot ${verb} on ${title}. Give that network a row of its own.`;
      if (form === undefined) return [{ message: lacks, field }];
      if (form.test(address)) return [];
      const wrong = `"${clipped(address)}" is not the address of a post on ${title}. Copy it from the browser.`;
      return [{ message: wrong, field }];
    }),
};

/**
 * From `http://` or `https://`, or a form of these with a missing colon or slash, up to a character that cannot be in
 * an address.
 */
const CANDIDATE =
  /(?<![\p{L}\p{N}_.+-])https?(?::\/\/(?:(?!https?:\/\/)[^\s<>"“”„«»‘’「」『』（）【】《》〈〉…，。、；：！？])*|:\/?(?!\/)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/giu;
/** Almost every link has a plain host. A link of this kind is valid, whatever follows the host. */
const SUSPECT = /http(?!s?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#\s]|$))/i;

/** Text that looks like a link but is not valid. */
export const brokenLinks: Rule = {
  code: "content/link",
  severity: "warning",
  rule: "Each http(s) link in a text is a valid address.",
  cause: "A link is mistyped, so nobody can open it.",
  fix: "Correct the link.",
  of: "post",
  check: ({ content }) => {
    if (!SUSPECT.test(content)) return NO_FINDINGS;
    return [...content.matchAll(CANDIDATE)].flatMap(([candidate]) => {
      const link = withoutPunctuation(candidate);
      const way = linkAdvice(link);
      if (way === undefined) return [];
      const shown = clipped(link);
      return [{ message: `"${shown}" is not a valid link. ${way}`, field: "content" } as const];
    });
  },
};

/**
 * A full stop or closing bracket at the end belongs to the sentence. `[` opens a numeric address, which includes its
 * `]`.
 */
function withoutPunctuation(candidate: string): string {
  const endings = candidate.includes("[") ? ".,;:!?)}'*_~|" : ".,;:!?)}]'*_~|";
  const least = candidate.indexOf("//") + 2;
  let end = candidate.length;
  while (end > least && endings.includes(candidate[end - 1] ?? "")) end -= 1;
  return candidate.slice(0, end);
}

/** What to do about a link; undefined for a valid one. */
function linkAdvice(link: string): string | undefined {
  if (!/^https?:\/\//i.test(link)) return "Write it as https://example.com, with a colon and two slashes.";
  if (/^https?:\/\/$/i.test(link)) return "Write the whole address without spaces.";
  const host = hostOf(link);
  if (host !== undefined && isHostname(host)) return undefined;
  return "Check its spelling.";
}

function hostOf(link: string): string | undefined {
  return parseUrl(link)?.hostname;
}

/** Parsers accept much that is not a valid host name, such as commas and `..`. */
function isHostname(host: string): boolean {
  return /^\[[0-9a-f:.]+\]$/.test(host) || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/.test(host);
}
