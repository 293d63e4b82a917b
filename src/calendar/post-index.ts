import type { RemotePost } from "./post.ts";

/** Lists are looked into several times, and may be long. */
const indexes = new WeakMap<readonly RemotePost[], ReadonlyMap<string, RemotePost>>();

/** The posts of a list by their ids; of several with one id, the last. */
export function indexById(posts: readonly RemotePost[]): ReadonlyMap<string, RemotePost> {
  const known = indexes.get(posts);
  if (known !== undefined) return known;
  const index = new Map<string, RemotePost>();
  for (const post of posts) index.set(post.id, post);
  indexes.set(posts, index);
  return index;
}
