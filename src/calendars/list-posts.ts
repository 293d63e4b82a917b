/** From checked calendars to all posts in them that can be shown, drafts and posts with broken media included. */

import { resolveMedia } from "../media/resolve-media.ts";
import type { ListedMedia, ListedPost, Post } from "../model/post.ts";
import { compareText } from "../model/text.ts";
import type { CheckedCalendars, MediaSources } from "./check.ts";

/** Earliest first; those of one time by key. What is wrong with the media of drafts is nobody's concern yet. */
export async function listPosts(
  root: string,
  { posts, unresolved, skippedRows, inScope }: CheckedCalendars,
  { hashes }: Pick<MediaSources, "hashes"> = {},
): Promise<ListedPost[]> {
  const aside = await Promise.all(
    (["draft", "skip"] as const).map(async (status): Promise<ListedPost[]> => {
      const rows = skippedRows.filter((row) => row.status === status && inScope(row.file));
      const those = rows.flatMap((row) => row.posts());
      const resolved = await resolveMedia(those, root, async () => undefined, hashes?.read);
      return [...resolved.posts, ...resolved.unresolved].map((post) => ({ ...post, status }));
    }),
  );
  const ready = [...posts, ...unresolved]
    .filter(({ source }) => inScope(source.file))
    .map((post: Listable): ListedPost => ({ ...post, status: "ready" }));
  return [...ready, ...aside.flat()].sort(byTime);
}

type Listable = Omit<Post, "media"> & { readonly media: readonly ListedMedia[] };

function byTime(one: ListedPost, other: ListedPost): number {
  return compareText(one.scheduledAt, other.scheduledAt) || compareText(one.key, other.key);
}
