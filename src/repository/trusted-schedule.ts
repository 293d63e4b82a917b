/**
 * What counts of a schedule in a checkout: the posts as the base has them, or as this machine wrote them. The schedule is
 * what publish sends, so a post that a pull request adds or changes is a change like any other: it is not scheduled yet.
 * Pure.
 */

import { getOwn } from "../model/lockfile.ts";
import {
  type PostDecision,
  type Schedule,
  type ScheduledPost,
  isSameDecision,
  parseSchedule,
  withDigest,
} from "./schedule.ts";

export interface TrustedSchedule {
  readonly schedule: Schedule;
  /** The posts that the base lacks, or has otherwise, as the checkout has them. */
  readonly brought: ReadonlyMap<string, ScheduledPost>;
  /** The posts of the base that the checkout lacks, although no run on this machine cancelled them: they still count. */
  readonly removed: ReadonlyMap<string, ScheduledPost>;
  /** Whether the checkout's file differs from what counts. */
  readonly isChanged: boolean;
}

/**
 * Results are always the checkout's, because no result may get lost.
 * @param base the schedule without the changes of this checkout
 * @param own what the last run on this machine wrote; undefined if there was none
 */
export function trustedSchedule(mine: Schedule, base: Schedule, own: Schedule | undefined): TrustedSchedule {
  const posts: [string, ScheduledPost][] = [];
  const brought = new Map<string, ScheduledPost>();
  for (const [id, post] of Object.entries(mine.posts)) {
    const known = getOwn(base.posts, id);
    const isKnown = [known, own === undefined ? undefined : getOwn(own.posts, id)].some(
      (each) => each !== undefined && isSameDecision(each, post),
    );
    if (isKnown) posts.push([id, post]);
    else {
      brought.set(id, post);
      if (known !== undefined) posts.push([id, known]);
    }
  }
  const isCancelled = (id: string): boolean => own !== undefined && !Object.hasOwn(own.posts, id);
  const removed = Object.entries(base.posts).filter(
    ([id]) => !Object.hasOwn(mine.posts, id) && !isCancelled(id),
  );
  return {
    schedule: { ...mine, posts: Object.fromEntries([...posts, ...removed]) },
    brought,
    removed: new Map(removed),
    isChanged: brought.size > 0 || removed.length > 0,
  };
}

/** Whether a post of the checkout is as apply would write it now, except for the time at which it was written. */
export function isSameBesidesTime(brought: ScheduledPost, post: ScheduledPost): boolean {
  return isSameDecision(brought, withDigest({ ...withoutDigest(post), created_at: brought.created_at }));
}

function withoutDigest({
  digest: _digest,
  publications: _results,
  ...decision
}: ScheduledPost): PostDecision {
  return decision;
}

/** Empty for anything but a schedule: it says nothing. */
export function readable(text: string): Schedule {
  try {
    return parseSchedule(text);
  } catch {
    return parseSchedule("");
  }
}
