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

/**
 * What the service says of a witness. `missing`: it knows no such post, or does not know it yet. `mute`: it has the
 * post and does not say whether it is still scheduled.
 */
export interface Witness {
  readonly id: string;
  readonly says: "scheduled" | "over" | "missing" | "mute";
}

export type ListVerdict =
  | "believe"
  /** To be read again a moment later, as long as there is time; then it can be believed. */
  | "wait"
  /** To be read again: it lacks what a second list must lack too. */
  | "confirm"
  /** To be read again: a scheduled post is missing, so the list is not whole, or not up to date. */
  | "not-whole";

/**
 * Whether a list may be planned on. Where a post would be made again because the list lacks it, one list is not
 * enough, in case it is an old or a short one.
 * @param earlier lists that were read before this one and lacked no scheduled post either
 */
export function judgeList(
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  asked: readonly Witness[],
  earlier: number,
): ListVerdict {
  const someSays = (says: Witness["says"]): boolean => asked.some((each) => each.says === says);
  if (someSays("scheduled")) return "not-whole";
  const lacksAttempt = Object.keys(settle(lockfile, remote).unknown).length > 0;
  if (earlier === 0 && (lacksAttempt || someSays("missing"))) return "confirm";
  return someSays("mute") ? "wait" : "believe";
}
