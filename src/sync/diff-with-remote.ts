/** remote → diff: what the service has, and how it differs from the calendars. */

import type { CheckedCalendars } from "../calendars/check.ts";
import { type Lockfile, getOwn } from "../model/lockfile.ts";
import { durationMs } from "../model/units.ts";
import { MAP_STATUS_AND_PAGES, incompleteList } from "../service/incomplete-list.ts";
import type { Project } from "../settings/config.ts";
import { absence, diff } from "./plan/diff.ts";
import type { Diff, DiffInput } from "./plan/input.ts";
import { type Conclusion, reconcilePendingCreates, withStillScheduled } from "./plan/reconcile.ts";
import { type Remote, type RemoteOptions, readRemote } from "./remote.ts";

/** Throws a Failure when the service cannot be read, or its list cannot be proved whole. */
export async function diffWithRemote(
  project: Project,
  checked: CheckedCalendars,
  options: Pick<RemoteOptions, "service" | "lockfile" | "clock">,
): Promise<{ readonly input: DiffInput; readonly diff: Diff }> {
  const { lockfile, clock } = options;
  const compared = await readRemote({ ...options, until: latestOf(checked) }, (remote) => {
    const input = diffInput(project, checked, lockfile, remote, clock.now());
    const made = diff(input);
    return { remote, input, diff: made, unconfirmed: conclusionsOf(made, input.lockfile) };
  });
  refuseDuplicateCreates(compared.diff, compared.input, compared.remote);
  return compared;
}

/**
 * The three sides that are compared.
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

/** What is wrong if the list is old: it may show a cancelled post, or lack one of a row that the lockfile has forgotten. */
function conclusionsOf({ changes }: Diff, lockfile: Lockfile): Conclusion[] {
  return changes.flatMap((change): Conclusion[] => {
    if (change.action === "adopt") return [{ what: "adopt", of: change.remote.id }];
    const isForgotten = change.action === "create" && !Object.hasOwn(lockfile.posts, change.key);
    return isForgotten ? [{ what: "create", of: change.key }] : [];
  });
}

/** Throws a Failure where a post would be created again although nobody can tell that it is gone. */
function refuseDuplicateCreates({ changes }: Diff, input: DiffInput, { name }: Remote): void {
  for (const { action, key } of changes) {
    const id = getOwn(input.lockfile.posts, key)?.post_id;
    if (action !== "create" || id === undefined || absence({ key }, input) !== "unknown") continue;
    const why = `it lacks ${id}, which the service has, without a word on whether it is still scheduled; and nothing tells where the list ends`;
    throw incompleteList(name, why, MAP_STATUS_AND_PAGES);
  }
}

/** When the latest row is due; empty without rows. */
function latestOf({ posts }: CheckedCalendars): string {
  return posts.reduce((latest, { scheduledAt }) => (scheduledAt > latest ? scheduledAt : latest), "");
}
