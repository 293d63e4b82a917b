/**
 * A post as a record of Bluesky. Everything in it follows from the post, so that two attempts give the same record.
 * Sources: the lexicons app.bsky.feed.post, app.bsky.richtext.facet and app.bsky.embed.*, and "Record Keys" of AT Protocol.
 */

import { createHash } from "node:crypto";
import { type Token, tokenize } from "@atcute/bluesky-richtext-parser";
import { findLinks } from "../checks/rules/links-and-tags.ts";
import { utcMs } from "../model/canonical.ts";
import { parseUrl } from "../model/address.ts";
import type { NetworkPost } from "./network.ts";

const BASE32_SORTABLE = "234567abcdefghijklmnopqrstuvwxyz";
const TID_LENGTH = 13;
/** Microseconds of a second, without the digits that number the parts of a thread. */
const SPREAD_US = 900_000;
const CLOCK_IDS = 1024;

/**
 * The record key of a part: 53 bits of microseconds and 10 of a clock id. The due time gives the second, and the post's key
 * the rest. Parts of a thread sort in their order.
 */
export function recordKey({ key, scheduledAt }: NetworkPost, part: number): string {
  const hash = createHash("sha256").update(key).digest();
  const spread = hash.readUInt32BE(0) % SPREAD_US;
  const microseconds = BigInt(utcMs(scheduledAt)) * 1000n + BigInt(spread + part);
  let rest = (microseconds << 10n) | BigInt(hash.readUInt16BE(4) % CLOCK_IDS);
  let text = "";
  for (let digit = 0; digit < TID_LENGTH; digit += 1) {
    text = (BASE32_SORTABLE[Number(rest & 31n)] ?? "") + text;
    rest >>= 5n;
  }
  return text;
}

/** When a part says that it was written: a millisecond later for each part, so that readers sort them. */
export function createdAt({ scheduledAt }: NetworkPost, part: number): string {
  return new Date(utcMs(scheduledAt) + part).toISOString();
}

interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly Feature[];
}

type Feature = Readonly<Record<string, string>>;

/** Part of a text, in UTF-16 units, `end` exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Handles that a text mentions, without `@`. */
export function mentionedHandles(text: string): readonly string[] {
  const handles = tokensOf(text).flatMap(({ token }) => (token.type === "mention" ? [token.handle] : []));
  return [...new Set(handles)];
}

/**
 * Links, mentions and hashtags of a text. @param didOf accounts by handle; a handle without an account stays plain text
 */
export function facetsOf(text: string, didOf: ReadonlyMap<string, string>): readonly Facet[] {
  const found = tokensOf(text).flatMap(({ token, start }): (Span & { feature: Feature })[] => {
    const raw = token.type === "autolink" ? withoutSentenceEnd(token.raw) : token.raw;
    const feature = featureOf(token, raw, didOf);
    return feature === undefined ? [] : [{ start, end: start + raw.length, feature }];
  });
  const bare = findLinks(text, { bare: true })
    .filter((link) => !found.some(({ start, end }) => link.start < end && start < link.end))
    .filter(({ text: address }) => !address.includes("://"))
    .map(({ start, end, text: address }) => ({ start, end, feature: linkTo(`https://${address}`) }));
  return [...found, ...bare]
    .sort((one, other) => one.start - other.start)
    .map(({ start, end, feature }) => {
      const byteStart = Buffer.byteLength(text.slice(0, start));
      const byteEnd = byteStart + Buffer.byteLength(text.slice(start, end));
      return { index: { byteStart, byteEnd }, features: [feature] };
    });
}

/** Where the first link of a text leads. */
export function firstLink(text: string): string | undefined {
  const features = facetsOf(text, new Map()).flatMap((facet) => facet.features);
  return features.find(({ uri }) => uri !== undefined)?.["uri"];
}

/** Punctuation after a link that ends a sentence, if the library does not leave it out. */
const SENTENCE_END = /[!?'"»”’…،؛؟。、]{1,20}$/u;

/** A closing bracket belongs to the link only if it was opened in the link. */
function withoutSentenceEnd(link: string): string {
  let text = link.replace(SENTENCE_END, "");
  let surplus = text.split(")").length - text.split("(").length;
  for (; surplus > 0 && text.endsWith(")"); surplus -= 1) text = text.slice(0, -1);
  return text.replace(SENTENCE_END, "");
}

/** Longest hashtag without `#`, by the lexicon. */
const MAX_TAG = 64;

function featureOf(token: Token, raw: string, didOf: ReadonlyMap<string, string>): Feature | undefined {
  switch (token.type) {
    case "autolink":
      return parseUrl(raw) === undefined ? undefined : linkTo(raw);
    case "mention": {
      const did = didOf.get(token.handle);
      return did === undefined ? undefined : { $type: "app.bsky.richtext.facet#mention", did };
    }
    case "topic":
      return token.name.length > MAX_TAG
        ? undefined
        : { $type: "app.bsky.richtext.facet#tag", tag: token.name };
    default:
      return undefined;
  }
}

function linkTo(uri: string): Feature {
  return { $type: "app.bsky.richtext.facet#link", uri };
}

/** Links and hashtags, in which all characters count, or one character that Markdown uses. */
const KEPT_OR_MARKDOWN = /(https?:\/\/\S+|[#＃][\p{L}\p{M}\p{N}\p{Pc}]+)|[\\[\]*_~`]/gu;

/**
 * The library also reads Markdown, which Bluesky shows as it is. Characters of Markdown are hidden from it, behind others
 * of the same length.
 */
function tokensOf(text: string): { readonly token: Token; readonly start: number }[] {
  const hidden = text.replaceAll(KEPT_OR_MARKDOWN, (_found, kept: string | undefined) => kept ?? ",");
  let start = 0;
  return tokenize(hidden).map((token) => {
    const at = start;
    start += token.raw.length;
    return { token, start: at };
  });
}
