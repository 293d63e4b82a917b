/** Row against record: where they differ, and whether they are the same post. */
import type { PostField } from "../calendar/change.ts";
import type { CachedMedia, Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost, ResolvedMedia, ResolvedPost } from "../calendar/post.ts";
import { desiredFingerprint, type MediaCache } from "./fingerprint.ts";

/** Whether the records of the service carry what it takes to compare them. */
export function isComparable(remote: RemotePost): boolean {
  return remote.content !== undefined && remote.platforms !== undefined && remote.scheduledAt !== undefined;
}

/** The parts that the service's record carries and that differ from the row's. `ids` compares the media. */
export function differences(
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

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function sameMediaList(
  media: readonly ResolvedMedia[],
  ids: readonly string[],
  same: (media: ResolvedMedia, id: string) => boolean,
): boolean {
  return media.length === ids.length && media.every((each, index) => same(each, ids[index] ?? ""));
}

/** Whether a media part is the one that the service calls `id`, by what the lockfile knows. */
export function hasId(media: ResolvedMedia, id: string, cache: MediaCache): boolean {
  if (media.kind === "id") return media.id === id;
  const cached: CachedMedia | undefined = cache[media.sha256];
  return cached !== undefined && (cached.id === id || cached.also?.includes(id) === true);
}

/** Whether an owned remote post is what the row asks for; what the service does not tell, the lockfile must. */
export function isSame(
  post: ResolvedPost,
  remote: RemotePost,
  ownedFingerprint: string,
  { media }: Lockfile,
): boolean {
  if (differences(post, remote, (each, id) => hasId(each, id, media)).length > 0) return false;
  const toldAll = isComparable(remote) && remote.mediaIds !== undefined;
  return toldAll || desiredFingerprint(post, media) === ownedFingerprint;
}
