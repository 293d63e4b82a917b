import { entryOf } from "../calendar/entry.ts";
import type { Lockfile, StoredPost } from "../calendar/lockfile.ts";
import type { RemotePost, UtcTime } from "../calendar/post.ts";

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
  readonly unowned: readonly RemotePost[];
}

export function joinOwned(lockfile: Lockfile, posts: readonly RemotePost[]): Ownership {
  const remote = new Map(posts.map((post) => [post.id, post]));
  const owned = new Map<string, OwnedRemote>();
  const ids = new Set<string>();
  for (const [key, { post_id, scheduled_at, fingerprint, stored, file }] of Object.entries(lockfile.posts)) {
    ids.add(post_id);
    const post = remote.get(post_id);
    if (post === undefined) continue;
    owned.set(key, { key, remote: post, dueAt: post.scheduledAt ?? scheduled_at, fingerprint, stored, file });
  }
  const retiring = new Map<string, RemotePost[]>();
  const unowned: RemotePost[] = [];
  for (const post of posts) {
    const old = entryOf(lockfile.retiring, post.id);
    if (old !== undefined) retiring.set(old.key, [...(retiring.get(old.key) ?? []), post]);
    else if (!ids.has(post.id) && !Object.hasOwn(lockfile.cancelled, post.id)) unowned.push(post);
  }
  return { owned, retiring, unowned };
}
