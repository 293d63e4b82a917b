import type { Lockfile } from "../calendar/lockfile.ts";

/**
 * Two lockfiles that come of one, entry by entry: what a run changed is as the run left it, all else as the other has
 * it. Pure.
 * @param base what the run began with  @param ours what it ended with  @param theirs what others made of `base` meanwhile
 */
export function mergeLockfiles(base: Lockfile, ours: Lockfile, theirs: Lockfile): Lockfile {
  const urls = mergeEntries(base.urls ?? {}, ours.urls ?? {}, theirs.urls ?? {});
  const { urls: _urls, ...rest } = theirs;
  return {
    ...rest,
    media: mergeEntries(base.media, ours.media, theirs.media),
    ...(Object.keys(urls).length === 0 ? {} : { urls }),
    posts: mergeEntries(base.posts, ours.posts, theirs.posts),
    retiring: mergeEntries(base.retiring, ours.retiring, theirs.retiring),
    unknown: mergeEntries(base.unknown, ours.unknown, theirs.unknown),
    cancelled: mergeEntries(base.cancelled, ours.cancelled, theirs.cancelled),
  };
}

function mergeEntries<V>(
  base: Readonly<Record<string, V>>,
  ours: Readonly<Record<string, V>>,
  theirs: Readonly<Record<string, V>>,
): Record<string, V> {
  const isOurs = (key: string): boolean => JSON.stringify(base[key]) !== JSON.stringify(ours[key]);
  const kept = Object.entries(theirs).filter(([key]) => !isOurs(key));
  const changed = Object.entries(ours).filter(([key]) => isOurs(key));
  return Object.fromEntries([...kept, ...changed]);
}
