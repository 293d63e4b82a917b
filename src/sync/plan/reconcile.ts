/**
 * What a list of scheduled posts proves about owned posts that it lacks, and which pending creates it confirms. Pure.
 */

import { utcMs } from "../../model/canonical.ts";
import { type Lockfile, type PendingCreate, getOwn, keptBody, retiringEntry } from "../../model/lockfile.ts";
import { type RemotePost, differingParts, indexById } from "../../model/post.ts";
import { groupBy } from "../../model/group.ts";
import { isComparable } from "./compare.ts";
import { joinOwned } from "./input.ts";
import type { PostState } from "../../service/service.ts";

/**
 * Ids of the owned posts that are due later and missing in the list. Each must be requested by its id: either it is
 * gone, or the list is not whole.
 */
export function missingOwnedPosts(
  lockfile: Pick<Lockfile, "posts" | "retiring">,
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

/** An owned post that is due later and missing in the list, and the service's answer about it. */
export interface MissingPost {
  readonly id: string;
  readonly state: PostState;
}

/** How reliable one reading of the list is. */
export interface ListVerdict {
  /**
   * `incomplete`: a scheduled post is missing, so the list is not whole, or old. `wait`: worth another reading while
   * there is time; after that, it counts.
   */
  readonly verdict: "believe" | "wait" | "incomplete";
  /**
   * What one list does not prove, because it may be old or short: posts that would be created again because it lacks
   * them. The next list must say the same.
   */
  readonly unconfirmed: readonly Conclusion[];
}

/**
 * A conclusion from one list: it shows a post to adopt, or lacks a post with an id, of a pending create or of a row.
 */
export interface Conclusion {
  readonly what: "adopt" | "missing" | "pending-create" | "create";
  /** Id of a post, or key of a row. */
  readonly of: string;
}

/** Whether to plan with this list. */
export function judgeList(
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  missing: readonly MissingPost[],
): ListVerdict {
  const pending = Object.keys(reconcilePendingCreates(lockfile, remote).unknown);
  const unconfirmed = [
    ...pending.map((key): Conclusion => ({ what: "pending-create", of: key })),
    ...missing.flatMap(({ id, state }): Conclusion[] =>
      state.state === "missing" ? [{ what: "missing", of: id }] : [],
    ),
  ];
  if (missing.some(({ state }) => state.state === "scheduled")) return { verdict: "incomplete", unconfirmed };
  return { verdict: missing.some(({ state }) => hasNoStatus(state)) ? "wait" : "believe", unconfirmed };
}

/** Whether the service has the post and does not show whether it is still scheduled. */
export function hasNoStatus(state: PostState): boolean {
  return state.state === "unknown" && state.status === undefined;
}

/**
 * The lockfile after all pending creates in the list were confirmed: their posts are owned, and the replaced ones
 * retire.
 */
export function reconcilePendingCreates(lockfile: Lockfile, remote: readonly RemotePost[]): Lockfile {
  const unknown = Object.entries(lockfile.unknown);
  if (unknown.length === 0) return lockfile;
  const free = groupBy(joinOwned(lockfile, remote).notOwned, ({ scheduledAt }) => scheduledAt);
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
  return isComparable(post) && differingParts(post, keptBody(attempt)).length === 0;
}

/** The lockfile after the pending creates with these keys were found as posts with these ids. */
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
    const { fingerprint, scheduled_at, file, forgets } = attempt;
    const old = getOwn(posts, key);
    if (old !== undefined && old.post_id !== post_id && old.post_id !== forgets) {
      const [id, entry] = retiringEntry(key, old);
      retiring[id] = entry;
    }
    posts[key] = { post_id, fingerprint, scheduled_at, file };
    delete unknown[key];
  }
  return { ...lockfile, posts, retiring, unknown };
}

/** The lockfile after a person said that the pending create of `key` made nothing. */
export function withoutPendingCreate(lockfile: Lockfile, key: string): Lockfile {
  const { [key]: _nothing, ...unknown } = lockfile.unknown;
  return { ...lockfile, unknown };
}

/**
 * The lockfile after cancelled posts turned out to be still scheduled. They must be cancelled again, unless a row asks
 * for them.
 * @param stillScheduled their ids
 */
export function withStillScheduled(lockfile: Lockfile, stillScheduled: ReadonlySet<string>): Lockfile {
  if (stillScheduled.size === 0) return lockfile;
  const cancelled = { ...lockfile.cancelled };
  const retiring = { ...lockfile.retiring };
  for (const id of stillScheduled) {
    const former = cancelled[id];
    if (former === undefined) continue;
    const { at: _at, ...entry } = former;
    retiring[id] = entry;
    delete cancelled[id];
  }
  return { ...lockfile, cancelled, retiring };
}
