/**
 * What a list of scheduled posts proves about owned posts that it lacks, and about pending creates: those with an
 * unknown result, which may still appear on the service. While the post of a pending create may belong to a row,
 * plancast does not create another post for that row. Pure.
 */

import { utcMs, utcTime } from "../../model/canonical.ts";
import {
  type Lockfile,
  type PendingCreate,
  createdEntry,
  getOwn,
  keptBody,
  retiringEntry,
  withoutHold,
} from "../../model/lockfile.ts";
import {
  type RemotePost,
  type ResolvedPost,
  differingParts,
  indexById,
  DERIVED_KEY_PREFIX,
} from "../../model/post.ts";
import { groupBy } from "../../model/data.ts";
import { type MediaCache, isComparable, desiredFingerprint } from "./compare.ts";
import { type DiffInput, joinOwned } from "./input.ts";
import type { PostState } from "../../service/service.ts";
import type { Keep, PendingChange } from "../../model/plan.ts";
import { sameList } from "../../model/text.ts";
import type { RetryCondition, UncertainBecause } from "../../problems/plan-texts.ts";

/**
 * Ids of the owned posts that are due later and missing in the list. Each must be requested by its id: either it is
 * gone, or the list is not whole.
 */
export function missingOwnedPosts(
  lockfile: Pick<Lockfile, "posts" | "retiring" | "cancelled">,
  remote: readonly RemotePost[],
  now: number,
): readonly string[] {
  const isLater = (due: string): boolean => utcMs(due) > now;
  const owned = joinOwned(lockfile, remote).unlisted.filter((post) => isLater(post.scheduled_at));
  const listed = indexById(remote);
  const retiring = Object.entries(lockfile.retiring).filter(
    ([id, post]) => !listed.has(id) && isLater(post.scheduled_at),
  );
  return [...owned.map(({ post_id }) => post_id), ...retiring.map(([id]) => id)];
}

/** An owned post that is due later and missing in the list, and the service's answer about it. */
export interface MissingPost {
  readonly id: string;
  readonly state: PostState;
}

/** How reliable one reading of the list is. */
export interface ListVerdict {
  /**
   * `incomplete`: a scheduled post is missing, so the list is not whole, or old. `wait`: read the list again while
   * there is time. After that, the list counts.
   */
  readonly verdict: "believe" | "wait" | "incomplete";
  /**
   * The posts that plancast would create again because one list lacks them. One list does not prove this, because it
   * may be old or short. The next list must say the same.
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
  const partial = new Set<string>();
  for (const [key, attempt] of unknown) {
    const group = free.get(attempt.scheduled_at) ?? [];
    const index = group.findIndex((post) => matchesPendingCreate(post, attempt));
    const [found] = index === -1 ? [] : group.splice(index, 1);
    if (found === undefined) continue;
    created.set(key, found.id);
    if (mayLackTexts(attempt, found)) partial.add(key);
  }
  return withConfirmedCreates(lockfile, created, partial);
}

/**
 * Whether the texts after a post may be lost. Some services store them one by one, and their lists do not show them: if
 * the answer to the create did not arrive, the service may have failed in between.
 */
function mayLackTexts(attempt: PendingCreate, { thread, first_comment: comment }: RemotePost): boolean {
  const hasThread = attempt.thread !== undefined && thread === undefined;
  return hasThread || (attempt.first_comment !== undefined && comment === undefined);
}

function matchesPendingCreate(post: RemotePost, attempt: PendingCreate): boolean {
  return isComparable(post) && differingParts(post, keptBody(attempt)).length === 0;
}

/**
 * The lockfile after the pending creates with these keys were found as posts with these ids.
 * @param partial keys of posts that may lack the texts after them
 */
export function withConfirmedCreates(
  lockfile: Lockfile,
  created: ReadonlyMap<string, string>,
  partial: ReadonlySet<string> = new Set(),
): Lockfile {
  if (created.size === 0) return lockfile;
  const [posts, retiring, unknown] = [
    { ...lockfile.posts },
    { ...lockfile.retiring },
    { ...lockfile.unknown },
  ];
  let { cancelled } = lockfile;
  for (const [key, post_id] of created) {
    const attempt = getOwn(unknown, key);
    if (attempt === undefined) continue;
    const old = getOwn(posts, key);
    if (old !== undefined && old.post_id !== post_id && old.post_id !== attempt.forgets) {
      const [id, entry] = retiringEntry(key, old);
      retiring[id] = entry;
    }
    posts[key] = createdEntry(attempt, post_id, undefined, partial.has(key));
    cancelled = withoutHold(cancelled, attempt.forgets);
    delete unknown[key];
  }
  return { ...lockfile, posts, retiring, unknown, cancelled };
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

type Input = Pick<DiffInput, "desired" | "lockfile" | "remote" | "mayListBeIncomplete" | "now" | "settleMs">;

interface OpenCreate {
  readonly key: string;
  readonly attempt: PendingCreate;
  readonly end: RetryCondition;
}

export class PendingCreates {
  readonly #left: Map<string, OpenCreate>;
  readonly #media: MediaCache;
  readonly #desired: ReadonlySet<string>;

  constructor(input: Input) {
    this.#left = new Map(findOpenCreates(input).map((open) => [open.key, open]));
    this.#media = input.lockfile.media;
    this.#desired = new Set(this.#left.size === 0 ? [] : input.desired.map((post) => post.key));
  }

  /**
   * The row's own pending create, or one of a missing row with the same content, or, without ids, what may be its older
   * version.
   */
  takeFor(post: ResolvedPost): PendingChange | undefined {
    const open =
      this.#left.get(post.key) ?? [...this.#left.values()].find((each) => this.#isOlder(each, post));
    if (open === undefined) return undefined;
    this.#left.delete(open.key);
    const { key, source, scheduledAt: dueAt } = post;
    return { action: "pending", key, desired: post, file: source.file, dueAt, ...open.end };
  }

  #isOlder({ key, attempt }: OpenCreate, post: ResolvedPost): boolean {
    if (this.#desired.has(key)) return false;
    // The ids of the media are unknown before the upload.
    if (differingParts(post, keptBody(attempt)).length === 0) return true;
    if (!key.startsWith(DERIVED_KEY_PREFIX) || !post.key.startsWith(DERIVED_KEY_PREFIX)) return false;
    const samePlace =
      attempt.scheduled_at === post.scheduledAt && sameList(attempt.platforms, post.platforms);
    return samePlace || (post.content !== "" && attempt.content === post.content);
  }

  /**
   * Pending creates that no row waits for, because it is gone or unchanged. If the post appears, it must be cancelled.
   */
  left(kept: readonly Keep[]): PendingChange[] {
    // The usual case, and many posts may be kept.
    if (this.#left.size === 0) return [];
    const own = kept.filter(({ key }) => this.#left.has(key));
    const keptAs = new Map(own.map(({ key, desired }) => [key, desired]));
    return [...this.#left.values()]
      .filter(({ key, attempt }) => {
        const post = keptAs.get(key);
        // The kept post is the one that was pending.
        return post === undefined || desiredFingerprint(post, this.#media) !== attempt.fingerprint;
      })
      .map(({ key, attempt: { file, scheduled_at: dueAt }, end }) => {
        return { action: "pending", key, desired: undefined, file, dueAt, ...end };
      });
  }
}

/**
 * Pending creates that must not be repeated yet. They are too recent, or a person must decide because posts cannot be
 * compared.
 */
function findOpenCreates({ lockfile, remote, mayListBeIncomplete, now, settleMs }: Input): OpenCreate[] {
  if (Object.keys(lockfile.unknown).length === 0) return [];
  const unsure = whyAbsenceProvesNothing(mayListBeIncomplete, remote, lockfile);
  const { notOwned } = joinOwned(lockfile, remote);
  return Object.entries(lockfile.unknown).flatMap(([key, attempt]): OpenCreate[] => {
    if (unsure !== undefined) return [{ key, attempt, end: { unsure } }];
    const until = utcMs(attempt.attempted_at) + settleMs;
    if (until > now) return [{ key, attempt, end: { until: utcTime(until) } }];
    const mayStand = notOwned.some((post) => mayBeCreatedPost(post, attempt));
    return mayStand ? [{ key, attempt, end: { unsure: "similar-post-exists" } }] : [];
  });
}

function whyAbsenceProvesNothing(
  mayListBeIncomplete: boolean,
  remote: readonly RemotePost[],
  lockfile: Lockfile,
): UncertainBecause | undefined {
  if (mayListBeIncomplete) return "list-may-be-incomplete";
  const blank = remote.filter((post) => !isComparable(post));
  return areAllOwned(blank, lockfile) ? undefined : "posts-not-comparable";
}

/** Whether an unknown post is in the place of the pending create, and was not there before. */
function mayBeCreatedPost(post: RemotePost, attempt: PendingCreate): boolean {
  const isNew = attempt.besides?.includes(post.id) !== true;
  const isThen =
    post.scheduledAt?.slice(0, LENGTH_TO_MINUTES) === attempt.scheduled_at.slice(0, LENGTH_TO_MINUTES);
  if (!isNew || !isThen) return false;
  // Services may return another name for a platform than they accept (`twitter`, `x`).
  return (
    post.content === attempt.content ||
    post.platforms?.some((name) => attempt.platforms.includes(name)) === true
  );
}

/** Length of a UTC time without its seconds. */
const LENGTH_TO_MINUTES = "2030-01-01T00:00".length;

function areAllOwned(blank: readonly RemotePost[], { posts, retiring }: Lockfile): boolean {
  if (blank.length === 0) return true;
  const owned = new Set(Object.values(posts).map((post) => post.post_id));
  return blank.every((post) => owned.has(post.id) || Object.hasOwn(retiring, post.id));
}
