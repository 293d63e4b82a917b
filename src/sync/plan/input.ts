import type { Lockfile, StoredPost } from "../../model/lockfile.ts";
import { type RemotePost, type UtcTime, indexById } from "../../model/post.ts";

/** A post that the lockfile owns and the service has scheduled. */
export interface OwnedRemote {
  readonly key: string;
  readonly remote: RemotePost;
  readonly dueAt: UtcTime;
  readonly fingerprint: string;
  readonly stored: StoredPost | undefined;
  readonly file: string;
}

/** The lockfile's posts and the service's, joined. */
export interface Ownership {
  /** Owned posts that are scheduled, by key. */
  readonly owned: ReadonlyMap<string, OwnedRemote>;
  /** Old halves of replacements that still stand, by the key of their row. */
  readonly retiring: ReadonlyMap<string, readonly RemotePost[]>;
  /** Scheduled posts that are neither, nor such that this project has cancelled and an old list still shows. */
  readonly unmanaged: readonly RemotePost[];
  /** Whether the lockfile gives a post to several keys. */
  readonly hasDuplicateOwners: boolean;
}

export function joinOwned(lockfile: Lockfile, posts: readonly RemotePost[]): Ownership {
  const remote = indexById(posts);
  const owned = new Map<string, OwnedRemote>();
  const ids = new Set<string>();
  const keys = Object.keys(lockfile.posts);
  for (const key of keys) {
    const entry = lockfile.posts[key];
    if (entry === undefined) continue;
    const { post_id, scheduled_at, fingerprint, stored, file } = entry;
    ids.add(post_id);
    const post = remote.get(post_id);
    if (post === undefined) continue;
    owned.set(key, { key, remote: post, dueAt: post.scheduledAt ?? scheduled_at, fingerprint, stored, file });
  }
  const retiring = new Map<string, RemotePost[]>();
  const unowned: RemotePost[] = [];
  // A map: to ask an object for 100,000 texts that are no keys of it takes ten times as long.
  const former = new Map(Object.entries(lockfile.retiring));
  for (const post of posts) {
    const old = former.get(post.id);
    if (old !== undefined) retiring.set(old.key, [...(retiring.get(old.key) ?? []), post]);
    else if (!ids.has(post.id) && !Object.hasOwn(lockfile.cancelled, post.id)) unowned.push(post);
  }
  return { owned, retiring, unmanaged: unowned, hasDuplicateOwners: ids.size < keys.length };
}
