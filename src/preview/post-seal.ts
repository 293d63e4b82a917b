/**
 * How a client's answers name a post and what they cover. A name stays the same when the post changes. A seal does not,
 * so an answer to an earlier version is recognised. Both are hashes: a page for clients must not show ids and paths.
 */

import { hash } from "node:crypto";
import type { ListedMedia, ListedPost } from "../model/post.ts";
import type { PostSeal } from "./preview-data.ts";

/** 96 bits: nobody can find another post with the same part. */
const LENGTH = 16;

function digest(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url").slice(0, LENGTH);
}

/** The names of all posts of a project, in their order. Rows without an id that say the same are counted. */
export function postNames(posts: readonly ListedPost[]): ReadonlyMap<ListedPost, string> {
  const counts = new Map<string, number>();
  return new Map(
    posts.map((post) => {
      const count = (counts.get(post.key) ?? 0) + 1;
      counts.set(post.key, count);
      return [post, digest(["plancast post", post.key, count])];
    }),
  );
}

/** Parts of a listed post that say where it comes from, or have a hash of their own. Everything else is its text. */
const NOT_TEXT: ReadonlySet<string> = new Set([
  "key",
  "source",
  "at",
  "timezone",
  "status",
  "platforms",
  "scheduledAt",
  "expires",
  "media",
]);

export function sealOf(post: ListedPost): PostSeal {
  const texts = Object.entries(post)
    .filter(([name, value]) => !NOT_TEXT.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    text: digest(texts),
    networks: digest(post.platforms),
    time: digest(post.expires === undefined ? post.scheduledAt : [post.scheduledAt, post.expires]),
    media: digest(post.media.map(mediaMark)),
  };
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

/** The parts of a post that differ. */
export function changedParts(one: PostSeal, other: PostSeal): (keyof PostSeal)[] {
  return (["text", "networks", "time", "media"] as const).filter((part) => one[part] !== other[part]);
}
