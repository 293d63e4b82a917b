/** What holds mean for a comparison: rows that it must not schedule, posts that are gone because of them, warnings. Pure. */

import type { CheckedCalendars } from "../../calendars/check.ts";
import { HeldPosts, freedPosts } from "../../checks/held-posts.ts";
import { timeInZone } from "../../checks/when/local-time.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import { groupBy } from "../../model/data.ts";
import { type Hold, HOLDS_FILE, holdFacts, isActive, readableHolds } from "../../model/holds.ts";
import { type Lockfile, getOwn, retiringEntry } from "../../model/lockfile.ts";
import type { HeldRow } from "../../model/plan.ts";
import type { ResolvedPost } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { Config } from "../../settings/config.ts";
import {
  claimedCancelsText,
  heldText,
  passedWhileHeldText,
  releasedText,
} from "../../problems/hold-texts.ts";
import type { DiffInput } from "./input.ts";

/** The held rows, by key. */
export function heldRowsOf(
  posts: readonly ResolvedPost[],
  holds: HeldPosts,
  now: number,
): ReadonlyMap<string, HeldRow> {
  const rows = posts.flatMap((desired): [string, HeldRow][] => {
    const hold = holds.holdOf(desired, now);
    return hold === undefined ? [] : [[desired.key, { action: "held", key: desired.key, desired, hold }]];
  });
  return new Map(rows);
}

/**
 * The lockfile after the posts that a hold has cancelled are gone. Otherwise, this clone would ask whether somebody removed
 * them: another clone may have cancelled them, or this one did not get an answer.
 */
export function withoutHeldPosts(
  lockfile: Lockfile,
  { holds, held, absent, now }: Pick<DiffInput, "holds" | "held" | "absent" | "now">,
): Lockfile {
  if (absent.size === 0) return lockfile;
  const told = holds.cancelledPosts;
  const posts = { ...lockfile.posts };
  const cancelled = { ...lockfile.cancelled };
  for (const [key, entry] of Object.entries(lockfile.posts)) {
    const absence = absent.get(entry.post_id);
    if (absence !== "missing" && absence !== "cancelled") continue;
    const hold = told.get(entry.post_id) ?? (entry.cancelling === true ? held.get(key)?.hold : undefined);
    if (hold === undefined) continue;
    const [id, former] = retiringEntry(key, entry);
    cancelled[id] = { ...former, at: utcTime(now), hold: hold.id };
    delete posts[key];
  }
  return { ...lockfile, posts, cancelled };
}

/** A post that a hold has cancelled. */
interface CancelledForHold {
  readonly postId: string;
  readonly key: string;
  readonly entry: Omit<Lockfile["cancelled"][string], "key">;
  /** `held`: its hold still counts. `newer`: it has ended, and the upstream branch has gone on. */
  readonly now: "held" | "released" | "newer";
}

export function cancelledForHolds({
  lockfile,
  upstream,
  holds,
  now,
}: Pick<DiffInput, "lockfile" | "upstream" | "holds" | "now">): readonly CancelledForHold[] {
  const owned = new Set(Object.values(upstream?.posts ?? {}).map(({ post_id: id }) => id));
  // The first apply after a release drops the hold from the entry (next-lockfile.ts).
  const isNewer = (id: string): boolean =>
    upstream !== undefined && !owned.has(id) && getOwn(upstream.cancelled, id)?.hold === undefined;
  return Object.entries(lockfile.cancelled).flatMap(([postId, { key, ...entry }]): CancelledForHold[] => {
    if (entry.hold === undefined) return [];
    const isHeld = holds.keepsBack(postId, entry.hold, now);
    return [{ postId, key, entry, now: isHeld ? "held" : isNewer(postId) ? "newer" : "released" }];
  });
}

/** How long a plan shows that a post was due while it was held, in ms. */
const TOLD_MS = 7 * 24 * 3_600_000;

/** @param before the text of the holds without the changes of a pull request; undefined elsewhere */
export function holdProblems(
  { posts, holds, inScope, calendars }: Pick<CheckedCalendars, "posts" | "holds" | "inScope" | "calendars">,
  { now, lockfile, held: heldRows }: Pick<DiffInput, "now" | "lockfile" | "held">,
  { held, past }: { readonly held: readonly HeldRow[]; readonly past: readonly ResolvedPost[] },
  config: Config,
  before: string | undefined,
): readonly Problem[] {
  const until = (hold: Hold): string | undefined =>
    hold.until === undefined ? undefined : timeInZone(utcTime(hold.until), config.timezone ?? "UTC");
  const inRun = posts.filter(({ source }) => inScope(source.file));
  const passed = past.flatMap((post) => {
    const hold = holds.holdWhenDue(post);
    const ago = now - utcMs(post.scheduledAt);
    const isTold = ago >= 0 && ago <= TOLD_MS && getOwn(lockfile.posts, post.key) === undefined;
    return hold !== undefined && isTold ? { hold, post } : [];
  });
  return [
    ...[...groupBy(held, ({ hold }) => hold)].map(([hold, rows]) =>
      problem("plan/held", heldText(holdFacts(hold), until(hold), rows.length), { file: HOLDS_FILE }),
    ),
    ...[...groupBy(passed, ({ hold }) => hold)].map(([hold, rows]) =>
      problem(
        "plan/passed-while-held",
        passedWhileHeldText(holdFacts(hold), rows.length),
        rows[0]?.post.at("scheduled_at"),
      ),
    ),
    ...(before === undefined
      ? []
      : [
          ...releases(readableHolds(before), now, { holds, calendars }, inRun, config),
          ...claims(readableHolds(before), holds, heldRows, lockfile),
        ]),
  ];
}

/**
 * The posts of rows that are not held, although a pull request says that a command has cancelled them for a hold. Without
 * this, an ended hold with their ids would let posts come back that somebody removed on the service.
 */
function claims(
  before: readonly Hold[],
  holds: HeldPosts,
  held: DiffInput["held"],
  { posts, cancelled }: Lockfile,
): readonly Problem[] {
  const known = new Set(before.flatMap((hold) => [...hold.posts]));
  const owners = [
    ...Object.entries(posts).map(([key, { post_id: id }]) => [id, key] as const),
    ...Object.entries(cancelled).map(([id, { key }]) => [id, key] as const),
  ];
  const claimed = owners.filter(
    ([id, key]) => holds.cancelledPosts.has(id) && !known.has(id) && !held.has(key),
  );
  return claimed.length === 0
    ? []
    : [problem("plan/released", claimedCancelsText(claimed.length), { file: HOLDS_FILE })];
}

/** The holds that a pull request ends. */
function releases(
  before: readonly Hold[],
  now: number,
  { holds, calendars }: Pick<CheckedCalendars, "holds" | "calendars">,
  posts: readonly ResolvedPost[],
  config: Config,
): readonly Problem[] {
  const ended = before.filter((hold) => isActive(hold, now) && !holds.hasSame(hold, now));
  return ended.map((hold) => {
    const freed = freedPosts(new HeldPosts([hold], calendars, config), holds, posts, now);
    return problem("plan/released", releasedText(holdFacts(hold), freed.length), { file: HOLDS_FILE });
  });
}
