/** Merges two versions of a lockfile. No id of a post that one of them owns is lost. Pure. */

import type { ConflictingTexts } from "../../disk/git.ts";
import { Failure } from "../../model/failure.ts";
import {
  type Lockfile,
  type LongestLists,
  type OwnedPost,
  emptyLockfile,
  getOwn,
  retiringEntry,
} from "../../model/lockfile.ts";
import { isSameJson } from "../../model/data.ts";
import { parseAnyLockfile } from "./lockfile.ts";

/** One record in three versions; undefined if that version does not contain it. */
interface Versions<V> {
  readonly base: V | undefined;
  readonly ours: V | undefined;
  readonly theirs: V | undefined;
}

/**
 * Merges entry by entry. What both versions changed is ours. If both scheduled a post for the same row, the next apply
 * cancels theirs.
 * @param base what both versions were made from
 * @param ours for a run: the lockfile at its end @param theirs for a run: `base` with the changes of others
 */
export function mergeLockfiles(base: Lockfile, ours: Lockfile, theirs: Lockfile): Lockfile {
  const urls = mergeEntries(base.urls ?? {}, ours.urls ?? {}, theirs.urls ?? {});
  const { urls: _urls, accounts: _accounts, longest_lists: _lists, ...rest } = theirs;
  const { accounts } = isSameJson(base.accounts, ours.accounts) ? theirs : ours;
  const longest = shorterLists(ours.longest_lists, theirs.longest_lists);
  const cancelled = mergeEntries(base.cancelled, ours.cancelled, theirs.cancelled);
  const { posts, superseded } = mergePosts(base.posts, ours.posts, theirs.posts, cancelled);
  const retiring = mergeEntries(base.retiring, ours.retiring, theirs.retiring);
  const owned = new Set(Object.values(posts).map(({ post_id }) => post_id));
  return {
    ...rest,
    ...(accounts === undefined ? {} : { accounts }),
    ...(Object.keys(longest).length === 0 ? {} : { longest_lists: longest }),
    media: mergeEntries(base.media, ours.media, theirs.media),
    ...(Object.keys(urls).length === 0 ? {} : { urls }),
    posts,
    retiring: Object.fromEntries(
      [...Object.entries(retiring), ...superseded].filter(([postId]) => !owned.has(postId)),
    ),
    unknown: mergeEntries(base.unknown, ours.unknown, theirs.unknown),
    cancelled,
  };
}

/** The result of a merge by hand, or by git. */
export interface MergedVersions {
  readonly lockfile: Lockfile;
  /**
   * Posts of the other side that the next apply cancels or takes back, because our side has a post for the same row: id
   * and key.
   */
  readonly rivals: ReadonlyMap<string, string>;
}

/** Our side of a conflict; undefined for a blank one. Throws a Failure for anything but a lockfile. */
export function parseOurs({ ours }: Pick<ConflictingTexts, "ours">): Lockfile | undefined {
  return parseAnyLockfile(ours, "Our side of the lockfile");
}

/** Throws a Failure if a lockfile cannot hold what both sides say. */
export function mergeVersions(texts: ConflictingTexts): MergedVersions {
  const ours = parseOurs(texts);
  const theirs = parseAnyLockfile(texts.theirs, "Their side of the lockfile");
  if (ours === undefined || theirs === undefined) throw cannotMerge("One side has no lockfile");
  if (ours.origin !== theirs.origin)
    throw cannotMerge(`Our side belongs to ${ours.origin}, and their side to ${theirs.origin}`);
  const common = parseAnyLockfile(texts.base, "The lockfile before both changes");
  const base = common?.origin === ours.origin ? common : emptyLockfile(ours.origin);
  const { accounts, creates } = undecidedIn(base, ours, theirs);
  if (accounts) throw cannotMerge("Both sides changed the accounts");
  if (creates.length > 0) throw bothUnknown(creates);
  const lockfile = mergeLockfiles(base, ours, theirs);
  const added = Object.entries(lockfile.retiring).filter(
    ([id]) => !Object.hasOwn(ours.retiring, id) && !Object.hasOwn(theirs.retiring, id),
  );
  return { lockfile, rivals: new Map(added.map(([id, { key }]) => [id, key])) };
}

function cannotMerge(why: string): Failure {
  return new Failure(
    "lockfile/cannot-merge",
    `${why}, so they cannot be merged.`,
    "Keep the lockfile of the branch that is right, with `git checkout --ours` or `git checkout --theirs`.",
  );
}

function bothUnknown(creates: readonly string[]): Failure {
  return new Failure(
    "lockfile/cannot-merge",
    `Both sides tried to schedule a post whose outcome is unknown, for ${creates.join(", ")}.`,
    "Undo the merge, run `plancast apply` on one branch until it exits with 0, commit the lockfile, and merge again.",
  );
}

/** The entries that two versions changed differently. A lockfile can hold only one version of each. */
export interface Undecided {
  readonly accounts: boolean;
  /** Keys of creates whose outcome is unknown. */
  readonly creates: readonly string[];
}

/** What a merge would lose of the other side. */
export function undecidedIn(base: Lockfile, ours: Lockfile, theirs: Lockfile): Undecided {
  const versions = { base: base.accounts, ours: ours.accounts, theirs: theirs.accounts };
  const accounts = ours.accounts !== undefined && theirs.accounts !== undefined && isUndecided(versions);
  const creates = keysOf(ours.unknown, theirs.unknown).filter(
    (key) =>
      Object.hasOwn(theirs.unknown, key) &&
      isUndecided(versionsOf(key, base.unknown, ours.unknown, theirs.unknown)),
  );
  return { accounts, creates };
}

function isUndecided({ base, ours, theirs }: Versions<unknown>): boolean {
  return !isSameJson(ours, theirs) && !isSameJson(base, ours) && !isSameJson(base, theirs);
}

interface MergedPosts {
  readonly posts: Record<string, OwnedPost>;
  /** Entries under `retiring`, for posts that another post of the same row takes the place of. */
  readonly superseded: readonly (readonly [string, Lockfile["retiring"][string]])[];
}

function mergePosts(
  base: Lockfile["posts"],
  ours: Lockfile["posts"],
  theirs: Lockfile["posts"],
  cancelled: Lockfile["cancelled"],
): MergedPosts {
  const posts: [string, OwnedPost][] = [];
  const superseded: MergedPosts["superseded"][number][] = [];
  for (const key of keysOf(theirs, ours)) {
    const versions = versionsOf(key, base, ours, theirs);
    const kept = keptPost(versions, cancelled);
    if (kept !== undefined) posts.push([key, kept]);
    const { base: before, theirs: other } = versions;
    const isExtra =
      other !== undefined && other.post_id !== before?.post_id && other.post_id !== kept?.post_id;
    if (isExtra) superseded.push(retiringEntry(key, other));
  }
  return { posts: Object.fromEntries(posts), superseded };
}

/**
 * A new post is kept even if the other version cancelled or changed the former one: only this names its id. If the post of
 * one version is cancelled, the row's post is that of the other, also if somebody has removed it since then.
 */
function keptPost(
  { base, ours, theirs }: Versions<OwnedPost>,
  cancelled: Lockfile["cancelled"],
): OwnedPost | undefined {
  if (isSameJson(base, ours)) return theirs;
  if (isSameJson(base, theirs)) return ours;
  // 2: a new post, 1: a new one that is cancelled.
  const rank = (post: OwnedPost | undefined): number =>
    post === undefined || post.post_id === base?.post_id ? 0 : Object.hasOwn(cancelled, post.post_id) ? 1 : 2;
  return rank(theirs) > rank(ours) ? theirs : ours;
}

/** The shorter list for each limit: a list that only one side has seen proves nothing for the other. */
function shorterLists(ours: LongestLists = {}, theirs: LongestLists = {}): LongestLists {
  const both = Object.entries(ours).filter(([limit]) => Object.hasOwn(theirs, limit));
  return Object.fromEntries(both.map(([limit, posts]) => [limit, Math.min(posts, theirs[limit] ?? 0)]));
}

type Entries<V> = Readonly<Record<string, V>>;

function mergeEntries<V>(base: Entries<V>, ours: Entries<V>, theirs: Entries<V>): Record<string, V> {
  return Object.fromEntries(
    keysOf(theirs, ours).flatMap((key) => {
      const versions = versionsOf(key, base, ours, theirs);
      const kept = isSameJson(versions.base, versions.ours) ? versions.theirs : versions.ours;
      return kept === undefined ? [] : [[key, kept] as const];
    }),
  );
}

function versionsOf<V>(key: string, base: Entries<V>, ours: Entries<V>, theirs: Entries<V>): Versions<V> {
  return { base: getOwn(base, key), ours: getOwn(ours, key), theirs: getOwn(theirs, key) };
}

function keysOf(one: Entries<unknown>, other: Entries<unknown>): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
