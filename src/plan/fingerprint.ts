import { hash } from "node:crypto";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { ResolvedMedia, ResolvedPost, UtcTime } from "../calendar/post.ts";

/** What of a post the service publishes, in canonical form. */
export interface Publishable {
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
