/**
 * A post as a record of Bluesky. Everything in it follows from the post, so that two attempts give the same record.
 * Sources: the lexicons app.bsky.feed.post, app.bsky.feed.threadgate, app.bsky.richtext.facet and app.bsky.embed.*, and "Record Keys" of AT Protocol.
 */

import { createHash } from "node:crypto";
import { utcMs } from "../model/canonical.ts";
import type { RichPart, RichText } from "../checks/networks/bluesky-rich-text.ts";
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

/** The languages and labels of each part. */
export function optionFields({ options = {} }: NetworkPost): object {
  const { langs, labels } = options;
  return {
    ...(langs === undefined ? {} : { langs }),
    ...(Array.isArray(labels)
      ? {
          labels: {
            $type: "com.atproto.label.defs#selfLabels",
            values: labels.map((val: unknown) => ({ val })),
          },
        }
      : {}),
  };
}

/** The collection of the rules who may reply. Its record has the key of the post. */
export const REPLY_RULES = "app.bsky.feed.threadgate";

const RULES: Readonly<Record<string, string>> = {
  mentioned: "mentionRule",
  followers: "followerRule",
  following: "followingRule",
};

/** Who may reply to a post; undefined if everybody may. @param uri of the post */
export function replyRules(post: NetworkPost, uri: string): object | undefined {
  const { replies = [] } = post.options ?? {};
  if (!Array.isArray(replies) || replies.length === 0 || replies.includes("everyone")) return undefined;
  const allow = Object.entries(RULES).flatMap(([name, rule]) =>
    replies.includes(name) ? [{ $type: `${REPLY_RULES}#${rule}` }] : [],
  );
  return { $type: REPLY_RULES, post: uri, allow, createdAt: createdAt(post, 0) };
}

interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly Feature[];
}

type Feature = Readonly<Record<string, string>>;

/** Handles that a text mentions, without `@`. */
export function mentionedHandles({ parts }: RichText): readonly string[] {
  return [...new Set(parts.flatMap((part) => (part.kind === "mention" ? [part.handle] : [])))];
}

/** The question to a server for the account with a handle. */
export function handleLookup(handle: string): string {
  return `/xrpc/com.atproto.identity.resolveHandle?${new URLSearchParams({ handle }).toString()}`;
}

/** Codes for what a server does not have. For a handle, `InvalidRequest` means that nobody has it. */
export const NOT_FOUND = /^(?:RecordNotFound|InvalidRequest|HandleNotFound)$/;

/**
 * Links, mentions and hashtags of a text. @param didOf accounts by handle; a handle without an account stays plain text
 */
export function facetsOf({ text, parts }: RichText, didOf: ReadonlyMap<string, string>): readonly Facet[] {
  return parts.flatMap((part) => {
    const feature = featureOf(part, didOf);
    if (feature === undefined) return [];
    const byteStart = Buffer.byteLength(text.slice(0, part.start));
    const byteEnd = byteStart + Buffer.byteLength(text.slice(part.start, part.end));
    return [{ index: { byteStart, byteEnd }, features: [feature] }];
  });
}

/** Where the first link of a text leads. */
export function firstLink({ parts }: RichText): string | undefined {
  return parts.find((part) => part.kind === "link")?.uri;
}

function featureOf(part: RichPart, didOf: ReadonlyMap<string, string>): Feature | undefined {
  switch (part.kind) {
    case "link":
      return { $type: "app.bsky.richtext.facet#link", uri: part.uri };
    case "mention": {
      const did = didOf.get(part.handle);
      return did === undefined ? undefined : { $type: "app.bsky.richtext.facet#mention", did };
    }
    case "tag":
      return { $type: "app.bsky.richtext.facet#tag", tag: part.tag };
  }
}
