/**
 * What counts of a schedule: the posts as the base has them, or as this machine wrote them. A post that a pull request
 * adds or changes is a change like any other: apply has not scheduled it yet, and publish does not send it. Pure.
 */

import { getOwn } from "../model/lockfile.ts";
import type { Compared } from "../sync/plan/trusted.ts";
import {
  type PostDecision,
  type Schedule,
  type ScheduledPost,
  isBegun,
  isSameDecision,
  parseSchedule,
  readable,
  scheduleText,
  withDigest,
  withKeptResults,
  withResultsOf,
} from "./schedule.ts";
import { withoutOld } from "./claims.ts";

export interface TrustedSchedule {
  readonly schedule: Schedule;
  /** The posts that the base lacks, or has otherwise, as the checkout has them. */
  readonly brought: ReadonlyMap<string, ScheduledPost>;
  /** The posts of the base that the checkout lacks, although no run on this machine cancelled them: they still count. */
  readonly removed: ReadonlyMap<string, ScheduledPost>;
  /** The posts whose results of the base the checkout lacks: they still count. */
  readonly forgotten: ReadonlyMap<string, ScheduledPost>;
  /** Whether the checkout's file differs from what counts. */
  readonly isChanged: boolean;
}

/** Whether a schedule that counts has just this post, whatever its results. */
export function isConfirmed({ posts }: Schedule, id: string, post: ScheduledPost): boolean {
  const known = getOwn(posts, id);
  return known !== undefined && isSameDecision(known, post);
}

/**
 * Results are the checkout's, and those of the base that the checkout lacks, because no result may get lost.
 * @param now ms
 */
export function trustedSchedule(
  mine: Schedule,
  compared: NonNullable<Compared["schedule"]>,
  now: number,
): TrustedSchedule {
  const base = readable(compared.base);
  const own = compared.own === undefined ? undefined : readable(compared.own);
  const posts: [string, ScheduledPost][] = [];
  const brought = new Map<string, ScheduledPost>();
  const forgotten = new Map<string, ScheduledPost>();
  const add = (id: string, post: ScheduledPost): void => {
    const known = [base, own].flatMap((each) => (each === undefined ? [] : (getOwn(each.posts, id) ?? [])));
    const whole = known
      .filter((each) => isSameDecision(each, post))
      .reduce((now, each) => withKeptResults(now, each, false), post);
    posts.push([id, whole]);
    if (whole !== post) forgotten.set(id, whole);
  };
  for (const [id, post] of Object.entries(mine.posts)) {
    const known = getOwn(base.posts, id);
    if (isConfirmed(base, id, post) || (own !== undefined && isConfirmed(own, id, post))) add(id, post);
    else {
      brought.set(id, post);
      // With the checkout's results, so that what is sent already is not sent again.
      if (known !== undefined) add(id, withResultsOf(known, post));
    }
  }
  const isCancelled = (id: string): boolean => own !== undefined && !Object.hasOwn(own.posts, id);
  // Publish removes old posts, and the base may be older than that.
  const removed = Object.entries(withoutOld(base, now).posts).filter(
    ([id]) => !Object.hasOwn(mine.posts, id) && !isCancelled(id),
  );
  return {
    schedule: { ...mine, posts: Object.fromEntries([...posts, ...removed]) },
    brought,
    removed: new Map(removed),
    forgotten,
    isChanged: brought.size > 0 || removed.length > 0 || forgotten.size > 0,
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

/**
 * What an apply confirms of the schedule that it wrote. A post that publish began to send meanwhile stays as it was sent.
 * All are texts.
 * @param before what the last apply confirmed  @param branch what is pushed now
 */
export function confirmedSchedule(written: string, before: string, branch: string): string {
  const [ours, known, pushed] = [parseSchedule(written), readable(before), readable(branch)];
  const sent = Object.entries(pushed.posts).filter(
    ([id, post]) => isBegun(post) && isConfirmed(known, id, post),
  );
  return scheduleText({ ...ours, posts: { ...ours.posts, ...Object.fromEntries(sent) } });
}

/** A schedule that an apply confirmed, with the results that publish has written since then. Both are texts. */
export function withLaterResults(confirmed: string, branch: string): string {
  const later = readable(branch);
  const posts = Object.entries(readable(confirmed).posts).map(([id, post]) => {
    const now = getOwn(later.posts, id);
    return [id, now === undefined ? post : withResultsOf(post, now)];
  });
  return posts.length === 0 ? "" : scheduleText({ ...later, posts: Object.fromEntries(posts) });
}
