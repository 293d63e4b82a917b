/** Creates of unknown outcome that have appeared on the service become owned posts. */
import { getOwn } from "../calendar/entry.ts";
import { retiringEntry, type PendingCreate, type Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost, UtcTime } from "../calendar/post.ts";
import { isComparable } from "./compare.ts";
import { joinOwned } from "./owned.ts";

/** The lockfile with every unknown create that is found in the list owned, and the post it was to replace retiring. */
export function reconcilePendingCreates(lockfile: Lockfile, remote: readonly RemotePost[]): Lockfile {
  const unknown = Object.entries(lockfile.unknown);
  if (unknown.length === 0) return lockfile;
  const free = new Map<UtcTime | undefined, RemotePost[]>();
  for (const post of joinOwned(lockfile, remote).unmanaged) {
    const group = free.get(post.scheduledAt);
    if (group === undefined) free.set(post.scheduledAt, [post]);
    else group.push(post);
  }
  const created = new Map<string, string>();
  for (const [key, attempt] of unknown) {
    const group = free.get(attempt.scheduled_at) ?? [];
    const index = group.findIndex((post) => matchesPendingCreate(post, attempt));
    const [found] = index === -1 ? [] : group.splice(index, 1);
    if (found !== undefined) created.set(key, found.id);
  }
  return withConfirmedCreates(lockfile, created);
}

function matchesPendingCreate(post: RemotePost, attempt: PendingCreate): boolean {
  return (
    isComparable(post) &&
    post.content === attempt.content &&
    post.scheduledAt === attempt.scheduled_at &&
    post.platforms?.join(" ") === attempt.platforms.join(" ") &&
    (post.mediaIds === undefined || post.mediaIds.join(" ") === attempt.media_ids.join(" "))
  );
}

/** The lockfile after unknown creates, by key, turned out to have made posts, by id. */
export function withConfirmedCreates(lockfile: Lockfile, created: ReadonlyMap<string, string>): Lockfile {
  if (created.size === 0) return lockfile;
  const [posts, retiring, unknown] = [
    { ...lockfile.posts },
    { ...lockfile.retiring },
    { ...lockfile.unknown },
  ];
  for (const [key, post_id] of created) {
    const attempt = getOwn(unknown, key);
    if (attempt === undefined) continue;
    const { fingerprint, scheduled_at, file } = attempt;
    const old = getOwn(posts, key);
    if (old !== undefined && old.post_id !== post_id) {
      const [id, entry] = retiringEntry(key, old);
      retiring[id] = entry;
    }
    posts[key] = { post_id, fingerprint, scheduled_at, file };
    delete unknown[key];
  }
  return { ...lockfile, posts, retiring, unknown };
}

/** The lockfile after a person said that the unknown create of `key` made nothing. */
export function withoutPendingCreate(lockfile: Lockfile, key: string): Lockfile {
  const { [key]: _nothing, ...unknown } = lockfile.unknown;
  return { ...lockfile, unknown };
}
