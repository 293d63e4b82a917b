/** Row against record: where they differ, and whether they are the same post. */

import { hash } from "node:crypto";
import type { CachedMedia, Lockfile, StoredPost } from "../../model/lockfile.ts";
import type { PostField } from "../../model/plan.ts";
import type { RemotePost, ResolvedMedia, ResolvedPost, UtcTime } from "../../model/post.ts";
import { sameList } from "../../model/text.ts";
import type { OwnedRemote } from "./input.ts";

/** Whether the records of the service carry what it takes to compare them. */
export function isComparable(remote: RemotePost): boolean {
  return remote.content !== undefined && remote.platforms !== undefined && remote.scheduledAt !== undefined;
}

/** The parts that the service's record carries and that differ from the row's. `ids` compares the media. */
export function differingFields(
  post: ResolvedPost,
  remote: RemotePost,
  sameMedia: (media: ResolvedMedia, id: string) => boolean,
): PostField[] {
  const fields: PostField[] = [];
  if (remote.content !== undefined && remote.content !== post.content) fields.push("content");
  if (remote.platforms !== undefined && !sameList(remote.platforms, post.platforms)) fields.push("platforms");
  if (remote.scheduledAt !== undefined && remote.scheduledAt !== post.scheduledAt)
    fields.push("scheduled_at");
  if (remote.mediaIds !== undefined && !sameMediaList(post.media, remote.mediaIds, sameMedia))
    fields.push("media");
  return fields;
}

function sameMediaList(
  media: readonly ResolvedMedia[],
  ids: readonly string[],
  same: (media: ResolvedMedia, id: string) => boolean,
): boolean {
  return media.length === ids.length && media.every((each, index) => same(each, ids[index] ?? ""));
}

/** Whether a media part is the one that the service calls `id`, by what the lockfile knows. */
export function matchesMediaId(media: ResolvedMedia, id: string, cache: MediaCache): boolean {
  if (media.kind === "id") return media.id === id;
  if (media.kind === "url") return false;
  const cached: CachedMedia | undefined = cache[media.sha256];
  return cached !== undefined && (cached.id === id || cached.also?.includes(id) === true);
}

/** Whether an owned remote post is what the row asks for; what the service does not tell, the lockfile must. */
export function isSamePost(
  post: ResolvedPost,
  { remote, fingerprint, stored }: Pick<OwnedRemote, "remote" | "fingerprint" | "stored">,
  { media }: Lockfile,
): boolean {
  // Most records tell all, and are as they were sent: then there is no need to ask the fingerprint.
  const isTold = isComparable(remote) && remote.mediaIds !== undefined;
  const isUnchanged = (isTold && stored === undefined) || desiredFingerprint(post, media) === fingerprint;
  const asSent = isUnchanged ? withoutStored(remote, stored) : remote;
  if (differingFields(post, asSent, (each, id) => matchesMediaId(each, id, media)).length > 0) return false;
  return isTold || isUnchanged;
}

/** The record without what the service keeps otherwise than it was sent, as long as it still keeps it so. */
function withoutStored(remote: RemotePost, stored: StoredPost | undefined): RemotePost {
  if (stored === undefined) return remote;
  const { content, platforms, scheduledAt, mediaIds, ...rest } = remote;
  return {
    ...rest,
    ...(content === undefined || content === stored.content ? {} : { content }),
    ...(platforms === undefined || platforms.join(" ") === stored.platforms?.join(" ") ? {} : { platforms }),
    ...(scheduledAt === undefined || scheduledAt === stored.scheduled_at ? {} : { scheduledAt }),
    ...(mediaIds === undefined || (stored.media_ids !== undefined && sameList(mediaIds, stored.media_ids))
      ? {}
      : { mediaIds }),
  };
}

/** What of an answer to a create differs from what was sent; undefined where nothing does. */
export function storedDifferences(
  sent: Publishable,
  { content, platforms, scheduledAt, mediaIds }: RemotePost,
): StoredPost | undefined {
  const stored: StoredPost = {
    ...(content === undefined || content === sent.content ? {} : { content }),
    ...(platforms === undefined || sameList(platforms, sent.platforms) ? {} : { platforms: [...platforms] }),
    ...(scheduledAt === undefined || scheduledAt === sent.scheduledAt ? {} : { scheduled_at: scheduledAt }),
    ...(mediaIds === undefined || sameList(mediaIds, sent.mediaIds) ? {} : { media_ids: [...mediaIds] }),
  };
  return Object.keys(stored).length === 0 ? undefined : stored;
}

/** What of a post the service publishes, in canonical form. */
interface Publishable {
  readonly content: string;
  readonly platforms: readonly string[];
  readonly scheduledAt: UtcTime;
  readonly mediaIds: readonly string[];
}

/** Equal for equal posts: a hash over content, platforms, time and media ids. */
export function fingerprint(post: Publishable): string {
  const parts = [post.content, post.platforms, post.scheduledAt, post.mediaIds];
  return `sha256:${hash("sha256", JSON.stringify(parts))}`;
}

export type MediaCache = Lockfile["media"];

/** The media's id as far as the cache knows it. */
export function mediaIdOf(media: ResolvedMedia, cache: MediaCache): string | undefined {
  if (media.kind === "id") return media.id;
  return media.kind === "url" ? undefined : cache[media.sha256]?.id;
}

/** The id under which a post may be sent with the media; an id that is only assumed may be another file's. */
export function idToSend(media: ResolvedMedia, cache: MediaCache): string | undefined {
  const isAssumed = media.kind === "file" && cache[media.sha256]?.assumed === true;
  return isAssumed ? undefined : mediaIdOf(media, cache);
}

/** The fingerprint that the post would have; undefined while a file of it has no id yet. */
export function desiredFingerprint(post: ResolvedPost, cache: MediaCache): string | undefined {
  const mediaIds: string[] = [];
  for (const media of post.media) {
    const id = mediaIdOf(media, cache);
    if (id === undefined) return undefined;
    mediaIds.push(id);
  }
  return fingerprint({ ...post, mediaIds });
}
