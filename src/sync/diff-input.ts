/**
 * Collects what a run compares: the calendars, the lockfile and the service. Also decides when a comparison is not
 * enough to act on.
 */

import type { CheckedCalendars } from "../calendars/check.ts";
import { type Lockfile, getOwn } from "../model/lockfile.ts";
import { durationMs } from "../model/units.ts";
import { MAP_STATUS_AND_PAGES, incompleteList } from "../service/incomplete-list.ts";
import type { Project } from "../settings/config.ts";
import { absence } from "./plan/diff.ts";
import type { Diff, DiffInput } from "./plan/input.ts";
import { type Conclusion, reconcilePendingCreates, withStillScheduled } from "./plan/reconcile.ts";
import type { Remote } from "./remote.ts";

/**
 * The three sides of the comparison.
 * @param lockfile as it was read
 * @param now ms since the epoch
 */
export function diffInput(
  { config: { safety } }: Project,
  { posts, inScope, filteredRows }: CheckedCalendars,
  lockfile: Lockfile,
  remote: Remote,
  now: number,
): DiffInput {
  return {
    desired: posts,
    lockfile: reconcilePendingCreates(withStillScheduled(lockfile, remote.stillScheduled), remote.posts),
    remote: remote.posts,
    mayListBeIncomplete: remote.doubt !== undefined,
    absent: remote.absent,
    now,
    leadTimeMs: durationMs(safety.lead_time),
    settleMs: durationMs(safety.settle),
    inScope,
    filteredRows,
  };
}

/**
 * What would be wrong if the list is old: it may show a cancelled post, or lack one for a row without an entry in the
 * lockfile.
 */
export function conclusionsOf({ changes }: Diff, lockfile: Lockfile): Conclusion[] {
  return changes.flatMap((change): Conclusion[] => {
    if (change.action === "adopt") return [{ what: "adopt", of: change.remote.id }];
    const isForgotten = change.action === "create" && !Object.hasOwn(lockfile.posts, change.key);
    return isForgotten ? [{ what: "create", of: change.key }] : [];
  });
}

/** Throws a Failure if a post would be created again although it may still exist. */
export function refuseDuplicateCreates({ changes }: Diff, input: DiffInput, { name }: Remote): void {
  for (const { action, key } of changes) {
    const id = getOwn(input.lockfile.posts, key)?.post_id;
    if (action !== "create" || id === undefined || absence({ key }, input) !== "unknown") continue;
    const why = `it does not contain ${id}, which the service still has with an unknown status, and nothing marks the end of the list`;
    throw incompleteList(name, why, MAP_STATUS_AND_PAGES);
  }
}

/** When the latest row is due; empty without rows. */
export function latestOf({ posts }: CheckedCalendars): string {
  return posts.reduce((latest, { scheduledAt }) => (scheduledAt > latest ? scheduledAt : latest), "");
}
