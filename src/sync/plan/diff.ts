/**
 * Compares the rows, the lockfile and the service's posts, and decides what to do. Pure: no clock, disk or network.
 *
 *   row (desired)  | owned, by key        | remote               | decision
 *   ---------------+----------------------+----------------------+--------------------------------
 *   past           | any                  | any                  | counted
 *   there          | its post             | the same             | keep
 *   there          | post of a gone row   | the same             | keep, under the new key
 *   held           | its post, or none    | there                | cancel
 *   moved out of a hold | one that the hold cancelled | none       | a person decides (missing-rows.ts)
 *   there          | none, or another     | an unowned, the same | adopt (and cancel the other)
 *   there          | the old half of its replacement, the same   | adopt (and cancel the new half)
 *   there          | pending create that may still appear        | pending
 *   there          | its post             | differs              | replace
 *   there, no id   | similar of gone row  | differs              | replace, under the new key
 *   there          | none                 | none                 | create
 *   there          | its post             | missing              | a person decides (missing-rows.ts)
 *   gone           | its post             | there                | cancel
 *   left out (staying.ts), by key, or else by time and places or text | no change
 *   gone           | its post             | missing              | forgotten
 *   none           | none                 | there                | unmanaged
 */

import { utcTime } from "../../model/canonical.ts";
import { type Lockfile, UNKNOWN_FINGERPRINT, getOwn } from "../../model/lockfile.ts";
import type { Change, CreateReason, HeldRow, Keep, PendingChange } from "../../model/plan.ts";
import type { ResolvedPost } from "../../model/post.ts";
import { differingFromRow, isSamePost, matchesMediaId } from "./compare.ts";
import {
  type Diff,
  type DiffContext,
  type DiffInput,
  type OwnedRemote,
  type Ownership,
  type Absence,
  joinOwned,
} from "./input.ts";
import { Orphans, UnmanagedPosts } from "./match-posts.ts";
import { cancelledForHolds } from "./held.ts";
import { isOwnCancel, whyGone, withoutMissingRows } from "./missing-rows.ts";
import { PendingCreates } from "./reconcile.ts";

export function diff(given: DiffInput): Diff {
  const { lockfile, remote } = given;
  const joined = withoutDuplicateOwners(joinOwned(lockfile, remote), given);
  const input: DiffContext = { ...given, ...joined };
  const released = new Set(
    cancelledForHolds(given).flatMap((each) => (each.now === "released" ? each.key : [])),
  );
  const isGone = (key: string): boolean => {
    const entry = input.absent.size === 0 ? undefined : getOwn(lockfile.posts, key);
    return entry !== undefined && whyGone(entry, input) !== undefined;
  };
  const pastUntil = utcTime(input.now + input.leadTimeMs);
  const isPast = (post: ResolvedPost): boolean =>
    post.scheduledAt < pastUntil || absence(post, input) === "published" || wasDue(post, input);
  const past: ResolvedPost[] = [];
  const ownedOf = input.desired.map(({ key }) => input.owned.get(key));
  const orphans = new Orphans(input, ownedOf.filter((owned) => owned !== undefined).length);
  const unowned = new UnmanagedPosts(input, isGone);
  const pendingCreates = new PendingCreates(input);
  const found: { changes: Change[]; kept: Keep[]; pending: PendingChange[] } = {
    changes: [],
    kept: [],
    pending: [],
  };
  const held = heldRows(input, isPast);
  past.push(...held.past);
  // Rows to keep come first, so that their posts are not taken as the older version of another row.
  const open: ResolvedPost[] = [];
  for (const [index, post] of input.desired.entries()) {
    if (isPast(post)) {
      past.push(post);
      continue;
    }
    const keep = keepOwned(post, ownedOf[index], lockfile) ?? orphans.takeSame(post);
    if (keep === undefined) open.push(post);
    else found.kept.push(keep);
  }
  found.changes.push(...held.rows.flatMap((row) => cancelHeld(row, input, orphans, unowned)));
  for (const post of open) {
    for (const decision of decide(post, { input, released, isGone, orphans, unowned, pendingCreates })) {
      if (decision.action === "pending") found.pending.push(decision);
      else found.changes.push(decision);
    }
  }
  for (const post of past) orphans.takePast(post);
  const leftAlone = orphans.takeStaying();
  found.changes.push(...orphans.cancels(), ...cancelRetired(input, found.changes));
  found.pending.push(...pendingCreates.left(found.kept));
  const unmanaged = unowned.left();
  const withheld = withheldChanges(found.changes, input);
  const decided = withoutMissingRows(found.changes, input, unmanaged, withheld);
  const all = { ...found, ...decided, held: held.rows, past, unmanaged, owned: input.owned };
  return withinRun(input, all, withheld, leftAlone);
}

/**
 * Whether a post of a series has had its time. An edit of the row's time or rule is for later posts: it must not publish
 * today's post again.
 */
function wasDue({ key, series }: ResolvedPost, { lockfile, now }: DiffInput): boolean {
  const dueAt = series === undefined ? undefined : getOwn(lockfile.posts, key)?.scheduled_at;
  return dueAt !== undefined && dueAt <= utcTime(now);
}

/** A held row whose time has passed is past like any other. */
function heldRows(
  { held }: DiffInput,
  isPast: (post: ResolvedPost) => boolean,
): { readonly rows: readonly HeldRow[]; readonly past: readonly ResolvedPost[] } {
  const rows = [...held.values()];
  return {
    rows: rows.filter(({ desired }) => !isPast(desired)),
    past: rows.flatMap(({ desired }) => (isPast(desired) ? desired : [])),
  };
}

/** Also cancels an older version of the row, and the post of a newer lockfile: each would go out. */
function cancelHeld(
  { key, desired, hold }: HeldRow,
  { owned, upstream, isHolding }: DiffContext,
  orphans: Orphans,
  unowned: UnmanagedPosts,
): readonly Change[] {
  const cancel = { action: "cancel", retiring: false, reason: "row-held", hold: hold.id } as const;
  const own = orphans.takeHeld(desired, owned.get(key));
  if (own !== undefined) {
    const { remote, dueAt, file } = own;
    return [{ ...cancel, key: own.key, remote, dueAt, file }];
  }
  const newer = upstream && getOwn(upstream.posts, key)?.post_id;
  const others = newer === undefined ? undefined : unowned.take(newer);
  const remote = others ?? (isHolding === true ? unowned.takeSame(desired) : undefined);
  if (remote === undefined) return [];
  const dueAt = remote.scheduledAt ?? desired.scheduledAt;
  return [{ ...cancel, key, remote, dueAt, file: desired.source.file }];
}

function keepOwned(post: ResolvedPost, owned: OwnedRemote | undefined, lockfile: Lockfile): Keep | undefined {
  if (owned === undefined || !isSamePost(post, owned, lockfile)) return undefined;
  return { action: "keep", key: post.key, desired: post, remote: owned.remote };
}

interface Sources {
  readonly input: DiffContext;
  /** The keys of the rows whose hold has ended. */
  readonly released: ReadonlySet<string>;
  /** Whether somebody removed the row's post. */
  readonly isGone: (key: string) => boolean;
  readonly orphans: Orphans;
  readonly unowned: UnmanagedPosts;
  readonly pendingCreates: PendingCreates;
}

function decide(
  post: ResolvedPost,
  { input, released, isGone, orphans, unowned, pendingCreates }: Sources,
): (Change | PendingChange)[] {
  const { key } = post;
  const owned = input.owned.get(key);
  const same = unowned.takeSame(post);
  if (same !== undefined) {
    const adopt: Change = { action: "adopt", key, desired: post, remote: same };
    if (owned === undefined) return [adopt];
    const { remote, dueAt } = owned;
    const { file } = post.source;
    return [
      adopt,
      { action: "cancel", key, remote, dueAt, file, retiring: true, reason: "replacement-scheduled" },
    ];
  }
  // The old half of the row's replacement may still exist although the new half is gone.
  const retiring = isGone(key) ? undefined : input.retiring.get(key)?.[0];
  const older = owned?.remote ?? retiring ?? orphans.takeSimilar(post);
  // This also applies before a replace: the pending create may be a replacement, and its post may still appear.
  const waiting = pendingCreates.takeFor(post);
  if (waiting !== undefined) return [waiting];
  const conflictingIds = unowned.inPlaceOf(post);
  if (older !== undefined) {
    const fields = differingFromRow(post, older, (each, id) =>
      matchesMediaId(each, id, input.lockfile.media),
    );
    const reason = owned?.fingerprint === UNKNOWN_FINGERPRINT ? "adopted" : "row-changed";
    return [{ action: "replace", key, desired: post, remote: older, fields, reason, conflictingIds }];
  }
  const reason = createReason(post, input, released);
  return [{ action: "create", key, desired: post, conflictingIds, reason }];
}

/** Old halves of interrupted replacements. They belong to the calendar that has the row now. */
function cancelRetired({ lockfile, desired, retiring }: DiffContext, changes: readonly Change[]): Change[] {
  if (retiring.size === 0) return [];
  const adopted = new Set(
    changes.flatMap((each) => (each.action === "adopt" || each.action === "replace" ? each.remote.id : [])),
  );
  const files = new Map(desired.map(({ key, source }) => [key, source.file]));
  return [...retiring.values()].flat().flatMap((post) => {
    const old = getOwn(lockfile.retiring, post.id);
    if (old === undefined || adopted.has(post.id)) return [];
    const dueAt = post.scheduledAt ?? old.scheduled_at;
    const file = files.get(old.key);
    const reason = file === undefined ? "row-gone" : "replacement-scheduled";
    return [
      { action: "cancel", key: old.key, remote: post, dueAt, file: file ?? old.file, retiring: true, reason },
    ];
  });
}

/** Whether a limited run covers a post. */
function isInRun({ inScope, staying }: DiffInput): (key: string, file: string) => boolean {
  return (key, file) => inScope(file) && !staying.has(key);
}

/** Changes that a limited run must not make, because the post may belong to a row that it does not read. */
function withheldChanges(all: readonly Change[], input: DiffContext): readonly Change[] {
  const isIn = isInRun(input);
  const changes = all.filter((change) => isIn(change.key, fileOf(change)));
  return changes.filter((change) => !input.staying.allows(change, changes, input.owned.values()));
}

/**
 * Without what a limited run must not touch: posts of other calendars, and posts that stay.
 * @param leftAlone posts without a row that may belong to rows which the run leaves out
 */
function withinRun(
  input: DiffInput,
  all: Omit<Diff, "withheld">,
  withheld: readonly Change[],
  leftAlone: number,
): Diff {
  const { inScope, staying } = input;
  const isIn = isInRun(input);
  const stay = new Set(withheld);
  return {
    ...all,
    changes: all.changes.filter((change) => !stay.has(change) && isIn(change.key, fileOf(change))),
    withheld: staying.withheld(leftAlone + withheld.length),
    kept: all.kept.filter((keep) => inScope(keep.desired.source.file)),
    pending: all.pending.filter((each) => isIn(each.key, each.file)),
    missing: all.missing.filter(({ key, create }) => isIn(key, fileOf(create))),
    held: all.held.filter(({ desired }) => inScope(desired.source.file)),
    past: all.past.filter((post) => inScope(post.source.file)),
  };
}

/** The calendar that a change belongs to. */
function fileOf(change: Change): string {
  return change.action === "cancel" ? change.file : change.desired.source.file;
}

export function absence(
  post: Pick<ResolvedPost, "key">,
  { lockfile, absent }: Pick<DiffInput, "lockfile" | "absent">,
): Absence | undefined {
  if (absent.size === 0) return undefined;
  const owned = getOwn(lockfile.posts, post.key);
  return owned === undefined ? undefined : absent.get(owned.post_id);
}

function createReason(post: ResolvedPost, input: DiffInput, released: Sources["released"]): CreateReason {
  const owned = getOwn(input.lockfile.posts, post.key);
  if (Object.hasOwn(input.lockfile.unknown, post.key)) return "earlier-create-lost";
  if (owned === undefined) return released.has(post.key) ? "released" : "new-row";
  return isOwnCancel(owned, input.lockfile) ? "half-replaced" : "row-rescheduled";
}

/**
 * A lockfile that was edited or merged by hand may give one post to several rows. The row that equals the post gets
 * it, otherwise the first row. A row that the run leaves out has priority over a missing one, because the post of a
 * row that still asks for it must not be cancelled.
 */
function withoutDuplicateOwners(
  joined: Ownership,
  { desired, staying, lockfile }: Pick<DiffInput, "desired" | "staying" | "lockfile">,
): Ownership {
  if (!joined.hasDuplicateOwners) return joined;
  const owners = new Map<string, OwnedRemote>();
  for (const post of desired) {
    const owned = joined.owned.get(post.key);
    if (owned === undefined) continue;
    const isFirst = !owners.has(owned.remote.id);
    if (isFirst || isSamePost(post, owned, lockfile)) owners.set(owned.remote.id, owned);
  }
  const all = [...joined.owned.values()];
  for (const owned of [...all.filter(({ key }) => staying.has(key)), ...all]) {
    if (!owners.has(owned.remote.id)) owners.set(owned.remote.id, owned);
  }
  return { ...joined, owned: new Map([...owners.values()].map((owned) => [owned.key, owned])) };
}
