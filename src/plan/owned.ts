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

/** Joins the lockfile's posts with the service's. */
export function scheduledOwned(
  lockfile: Lockfile,
  posts: readonly RemotePost[],
): ReadonlyMap<string, OwnedRemote> {
  const remote = new Map(posts.map((post) => [post.id, post]));
  return new Map(
    Object.entries(lockfile.posts).flatMap(([key, owned]) => {
      const post = remote.get(owned.post_id);
      if (post === undefined) return [];
      const dueAt = post.scheduledAt ?? owned.scheduled_at;
      const { fingerprint, stored, file } = owned;
      return [[key, { key, remote: post, dueAt, fingerprint, stored, file }]];
    }),
  );
}
