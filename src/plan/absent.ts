/** What a list of scheduled posts lacks: when that proves something, and when the list must be looked at again. Pure. */
import { utcMs } from "../calendar/canonical.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost } from "../calendar/post.ts";
import { settle } from "./settle.ts";

/**
 * Ids of the owned posts that are due later and not in the list. Each is a witness and must be asked for by id: either
 * it is gone, or the list is not whole.
 */
export function witnesses(lockfile: Lockfile, remote: readonly RemotePost[], now: number): readonly string[] {
  const listed = new Set(remote.map((post) => post.id));
  const owned = Object.values(lockfile.posts).map((post) => ({ id: post.post_id, due: post.scheduled_at }));
  const retiring = Object.entries(lockfile.retiring).map(([id, post]) => ({ id, due: post.scheduled_at }));
  return [...owned, ...retiring]
    .filter(({ id, due }) => !listed.has(id) && utcMs(due) > now)
    .map(({ id }) => id);
}

/** What the service says of a witness. */
export interface Witness {
  readonly id: string;
  readonly isScheduled: boolean;
  /** The service knows no such post. That may also be because it does not know it yet. */
  readonly isUnknown: boolean;
}

export type ListVerdict =
  | "believe"
  /** What is missing is looked for once more, in case this answer was an old or a short one. */
  | "confirm"
  /** A scheduled post is missing: the list is not whole, or not up to date. */
  | "not-whole";

/**
 * Whether a list may be planned on. Where a post would be made again because the list lacks it, one list is not enough:
 * it takes a second one, a moment later, that lacks it too.
 * @param seen answers so far, this one included, in which no scheduled post was missing
 */
export function judgeList(
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  asked: readonly Witness[],
  seen: number,
): ListVerdict {
  if (asked.some((each) => each.isScheduled)) return "not-whole";
  const lacksAttempt = Object.keys(settle(lockfile, remote).unknown).length > 0;
  return (lacksAttempt || asked.some((each) => each.isUnknown)) && seen < 2 ? "confirm" : "believe";
}
