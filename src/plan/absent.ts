/** What a list of scheduled posts lacks: when that proves something, and when the list must be looked at again. Pure. */
import { utcMs } from "../calendar/canonical.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost } from "../calendar/post.ts";
import { indexById } from "../calendar/post-index.ts";
import { reconcilePendingCreates } from "./settle.ts";

/**
 * Ids of the owned posts that are due later and not in the list. Each is a witness and must be asked for by id: either
 * it is gone, or the list is not whole.
 */
export function missingOwnedPosts(
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  now: number,
): readonly string[] {
  const listed = indexById(remote);
  const isWitness = (id: string, due: string): boolean => !listed.has(id) && utcMs(due) > now;
  const owned: string[] = [];
  for (const key of Object.keys(lockfile.posts)) {
    const post = lockfile.posts[key];
    if (post !== undefined && isWitness(post.post_id, post.scheduled_at)) owned.push(post.post_id);
  }
  const retiring = Object.entries(lockfile.retiring).filter(([id, post]) => isWitness(id, post.scheduled_at));
  return [...owned, ...retiring.map(([id]) => id)];
}

/**
 * What the service says of a witness. `missing`: it knows no such post, or does not know it yet. `mute`: it has the
 * post and does not say whether it is still scheduled.
 */
export interface MissingPost {
  readonly id: string;
  readonly status: "scheduled" | "over" | "missing" | "mute";
}

/** What one reading of the list is worth. */
export interface ListVerdict {
  /**
   * `not-whole`: a scheduled post is missing, so the list is not whole, or not up to date. `wait`: worth another look
   * as long as there is time, and else to be believed.
   */
  readonly verdict: "believe" | "wait" | "not-whole";
  /**
   * What this list alone does not prove, in case it is an old or a short one: posts that would be made again because
   * it lacks them. The next list must say just the same.
   */
  readonly unconfirmedChanges: readonly string[];
}

/** Whether a list may be planned on. */
export function judgeList(
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  asked: readonly MissingPost[],
): ListVerdict {
  const those = (says: MissingPost["status"]): readonly MissingPost[] =>
    asked.filter((each) => each.status === says);
  const attempts = Object.keys(reconcilePendingCreates(lockfile, remote).unknown).map(
    (key) => `lacks the attempt at ${key}`,
  );
  const claims = [...attempts, ...those("missing").map(({ id }) => `lacks ${id}`)];
  if (those("scheduled").length > 0) return { verdict: "not-whole", unconfirmedChanges: claims };
  return { verdict: those("mute").length > 0 ? "wait" : "believe", unconfirmedChanges: claims };
}
