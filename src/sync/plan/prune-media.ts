/** Which media entries the lockfile no longer needs. Pure. */

import type { Lockfile } from "../../model/lockfile.ts";
import type { RemotePost } from "../../model/post.ts";

export interface PruneInput {
  readonly lockfile: Lockfile;
  /** Ids of the whole media library. */
  readonly library: ReadonlySet<string>;
  /** The scheduled posts. */
  readonly posts: readonly RemotePost[];
}

export interface PruneResult {
  readonly lockfile: Lockfile;
  readonly pruned: readonly { readonly sha256: string; readonly id: string; readonly path: string }[];
  /** How many entries stay although the service does not list them: posts that are scheduled hold them. */
  readonly inUse: number;
}

/**
 * Forgets what the library lacks, except what a scheduled post or one in doubt still holds: without its entry that
 * post would no longer be known for its row's, and be replaced. Gives undefined where the service does not tell which
 * media the project's posts hold.
 */
export function pruneMediaCache({ lockfile, library, posts }: PruneInput): PruneResult | undefined {
  const owned = new Set(Object.values(lockfile.posts).map((post) => post.post_id));
  const isTold = posts.some(({ mediaIds }) => mediaIds !== undefined);
  if (!isTold && posts.some(({ id }) => owned.has(id))) return undefined;
  const held = new Set([
    ...posts.flatMap(({ mediaIds = [] }) => mediaIds),
    ...Object.values(lockfile.unknown).flatMap((attempt) => attempt.media_ids),
  ]);
  const missing = Object.entries(lockfile.media).filter(
    ([, { id, also = [] }]) => ![id, ...also].some((each) => library.has(each)),
  );
  const gone = missing.filter(([, { id, also = [] }]) => ![id, ...also].some((each) => held.has(each)));
  const hashes = new Set(gone.map(([sha256]) => sha256));
  const media = Object.fromEntries(Object.entries(lockfile.media).filter(([sha256]) => !hashes.has(sha256)));
  return {
    lockfile: { ...lockfile, media },
    pruned: gone.map(([sha256, { id, path }]) => ({ sha256, id, path })),
    inUse: missing.length - gone.length,
  };
}
