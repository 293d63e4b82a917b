import type { Lockfile } from "./lockfile.ts";
import { DERIVED_KEY_PREFIX } from "./post.ts";

/** The row whose post a post is. */
export interface PostOwner {
  readonly key: string;
  /** The row's id; undefined where it has none. */
  readonly id: string | undefined;
  /** Its calendar. */
  readonly file: string;
  /** Whether its replacement is scheduled already, so that it is only to be cancelled. */
  readonly isRetiring: boolean;
}

/** The owners of all posts that a project owns, by post id. */
export function ownersIn({ posts, retiring }: Lockfile): ReadonlyMap<string, PostOwner> {
  return new Map([
    ...Object.entries(retiring).map(([id, { key, file }]) => [id, ownerOf(key, file, true)] as const),
    ...Object.entries(posts).map(([key, { post_id, file }]) => [post_id, ownerOf(key, file, false)] as const),
  ]);
}

function ownerOf(key: string, file: string, isRetiring: boolean): PostOwner {
  return { key, id: key.startsWith(DERIVED_KEY_PREFIX) ? undefined : key, file, isRetiring };
}
