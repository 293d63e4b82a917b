/** Creates of unknown outcome that have appeared on the service become owned posts. */
import { entryOf } from "../calendar/entry.ts";
import { retiringEntry, type Attempt, type Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost } from "../calendar/post.ts";
import { isComparable } from "./compare.ts";

/** The lockfile with every unknown create that is found in the list owned, and the post it was to replace retiring. */
export function settle(lockfile: Lockfile, remote: readonly RemotePost[]): Lockfile {
  const unknown = Object.entries(lockfile.unknown);
  if (unknown.length === 0) return lockfile;
  const taken = new Set(Object.values(lockfile.posts).map((post) => post.post_id));
  let settled = lockfile;
  for (const [key, attempt] of unknown) {
    const found = remote.find(
      (post) => !taken.has(post.id) && !Object.hasOwn(lockfile.retiring, post.id) && isAttempt(post, attempt),
    );
    if (found === undefined) continue;
    taken.add(found.id);
    settled = withCreated(settled, key, found.id);
  }
  return settled;
}

function isAttempt(post: RemotePost, attempt: Attempt): boolean {
  return (
    isComparable(post) &&
    post.content === attempt.content &&
    post.scheduledAt === attempt.scheduled_at &&
    post.platforms?.join(" ") === attempt.platforms.join(" ") &&
    (post.mediaIds === undefined || post.mediaIds.join(" ") === attempt.media_ids.join(" "))
  );
}

/** The lockfile after the unknown create of `key` turned out to have made the post `postId`. */
export function withCreated(lockfile: Lockfile, key: string, postId: string): Lockfile {
  const attempt = entryOf(lockfile.unknown, key);
  if (attempt === undefined) return lockfile;
  const { [key]: _settled, ...unknown } = lockfile.unknown;
  const { fingerprint, scheduled_at, file } = attempt;
  const old = entryOf(lockfile.posts, key);
  const replaced = old === undefined || old.post_id === postId ? [] : [retiringEntry(key, old)];
  const retiring = { ...lockfile.retiring, ...Object.fromEntries(replaced) };
  const posts = { ...lockfile.posts, [key]: { post_id: postId, fingerprint, scheduled_at, file } };
  return { ...lockfile, posts, retiring, unknown };
}

/** The lockfile after a person said that the unknown create of `key` made nothing. */
export function withoutAttempt(lockfile: Lockfile, key: string): Lockfile {
  const { [key]: _nothing, ...unknown } = lockfile.unknown;
  return { ...lockfile, unknown };
}
