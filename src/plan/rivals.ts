import { isSamePost } from "./compare.ts";
import type { DiffInput } from "./diff.ts";
import type { OwnedRemote, Ownership } from "./owned.ts";

/**
 * A lockfile that was edited or merged by hand may give one post to two rows. It is the row's that it is the same as,
 * else the first one's; were it the other's as well, an edit of that row would cancel it.
 */
export function withoutDuplicateOwners(
  joined: Ownership,
  { desired, lockfile }: Pick<DiffInput, "desired" | "lockfile">,
): Ownership {
  if (!joined.hasDuplicateOwners) return joined;
  const owner = new Map<string, OwnedRemote>();
  for (const post of desired) {
    const owned = joined.owned.get(post.key);
    if (owned === undefined) continue;
    const isFirst = !owner.has(owned.remote.id);
    if (isFirst || isSamePost(post, owned, lockfile)) owner.set(owned.remote.id, owned);
  }
  const isOwn = (owned: OwnedRemote): boolean => (owner.get(owned.remote.id) ?? owned) === owned;
  return { ...joined, owned: new Map([...joined.owned].filter(([, owned]) => isOwn(owned))) };
}
