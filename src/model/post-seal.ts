/**
 * How answers name a post and what they cover. A name stays the same when the post changes. A seal does not, so an answer
 * to an earlier version is recognised. Pure.
 */

import { hash } from "node:crypto";
import { type ListedMedia, type ListedPost, type PostSeal, sentMedia } from "./post.ts";

/** 96 bits: nobody can find another post with the same part. */
const LENGTH = 16;

function digest(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url").slice(0, LENGTH);
}

/**
 * The posts of a project, in the order of `listWholePosts`, each with its key. Rows without an id that say the same are
 * counted: `row:0a1b 2`.
 */
export function keysOfPosts(posts: readonly ListedPost[]): ReadonlyMap<ListedPost, string> {
  const counts = new Map<string, number>();
  return new Map(
    posts.map((post) => {
      const count = (counts.get(post.key) ?? 0) + 1;
      counts.set(post.key, count);
      return [post, count === 1 ? post.key : `${post.key} ${count}`];
    }),
  );
}

/** A hash of a post's key: a page for clients must not show ids and paths. */
export function hiddenName(key: string): string {
  return digest(["plancast post", key]);
}

/** Parts of a listed post that are not published, or have a hash of their own. Everything else is its text. */
const NOT_TEXT: ReadonlySet<string> = new Set([
  "key",
  "source",
  "at",
  "timezone",
  "status",
  "platforms",
  "scheduledAt",
  "slot",
  "expires",
  "media",
  "optionMedia",
  "campaign",
  "series",
  "repeats",
]);

export function sealOf(post: ListedPost): PostSeal {
  const texts = Object.entries(post)
    .filter(([name, value]) => !NOT_TEXT.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    text: digest(texts),
    networks: digest(post.platforms),
    time: digest(post.expires === undefined ? timeMark(post) : [timeMark(post), post.expires]),
    media: digest(sentMedia(post).map(mediaMark)),
    ...(post.repeats === undefined ? {} : { series: digest(post.repeats.mark) }),
  };
}

/** A series keeps its start, although its next post is always another one. A slot is chosen by plancast. */
function timeMark({ scheduledAt, repeats, slot }: ListedPost): unknown {
  if (slot !== undefined) return ["slot", slot.day ?? ""];
  return repeats?.start ?? scheduledAt;
}

/**
 * The content of a file counts, wherever the file is. For a web address, the seal has only the address, because not every
 * machine has its file.
 */
function mediaMark(media: ListedMedia): readonly string[] {
  if (media.kind === "id") return ["id", media.id];
  if (media.kind === "url") return ["url", media.url];
  if ("url" in media && media.url !== undefined) return ["url", media.url];
  return "sha256" in media ? ["file", media.sha256] : ["path", media.path];
}

const PARTS = ["text", "networks", "time", "media", "series"] as const satisfies (keyof PostSeal)[];

export type SealedPart = (typeof PARTS)[number];

/** The parts of a post that differ. */
export function changedParts(one: PostSeal, other: PostSeal): SealedPart[] {
  return PARTS.filter((part) => one[part] !== other[part]);
}
