/** Owned posts that the list of scheduled posts does not hold although they are due later: each is a witness. */
import { utcMs } from "../calendar/canonical.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost } from "../calendar/post.ts";

/** Ids of the owned posts that must be asked for one by one: either they are gone, or the list is not whole. */
export function witnesses(lockfile: Lockfile, remote: readonly RemotePost[], now: number): readonly string[] {
  const listed = new Set(remote.map((post) => post.id));
  const owned = Object.values(lockfile.posts).map((post) => ({ id: post.post_id, due: post.scheduled_at }));
  const retiring = Object.entries(lockfile.retiring).map(([id, post]) => ({ id, due: post.scheduled_at }));
  return [...owned, ...retiring]
    .filter(({ id, due }) => !listed.has(id) && utcMs(due) > now)
    .map(({ id }) => id);
}
