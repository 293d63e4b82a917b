/**
 * Creates with an unknown result, which may still appear on the service. While the post of one may belong to a row,
 * plancast does not create another post for it.
 */

import { utcMs, utcTime } from "../../model/canonical.ts";
import { type Lockfile, type PendingCreate, keptBody } from "../../model/lockfile.ts";
import type { Keep, PendingChange } from "../../model/plan.ts";
import { type RemotePost, type ResolvedPost, DERIVED_KEY_PREFIX, differingParts } from "../../model/post.ts";
import { sameList } from "../../model/text.ts";
import type { RetryCondition, UncertainBecause } from "../../problems/plan-texts.ts";
import { type MediaCache, desiredFingerprint, isComparable } from "./compare.ts";
import { type DiffInput, joinOwned } from "./input.ts";

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
    return { action: "hold", key, desired: post, file: source.file, dueAt, ...open.end };
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
    const own = kept.filter(({ key }) => this.#left.has(key));
    const keptAs = new Map(own.map(({ key, desired }) => [key, desired]));
    return [...this.#left.values()]
      .filter(({ key, attempt }) => {
        const post = keptAs.get(key);
        // The kept post is the one that was pending.
        return post === undefined || desiredFingerprint(post, this.#media) !== attempt.fingerprint;
      })
      .map(({ key, attempt: { file, scheduled_at: dueAt }, end }) => {
        return { action: "hold", key, desired: undefined, file, dueAt, ...end };
      });
  }
}

/**
 * Pending creates that must not be repeated yet: too recent, or, if posts cannot be compared, for a person to decide.
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
