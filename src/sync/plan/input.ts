/**
 * Input and output of a diff. Input: the rows of the calendars, the lockfile, and the service's scheduled posts.
 * Output: the changes, the unchanged rows, and the rows that must wait.
 */

import type { HeldPosts } from "../../checks/held-posts.ts";
import type { Lockfile, OwnedPost, StoredParts } from "../../model/lockfile.ts";
import type { Change, HeldRow, Keep, MissingRow, PendingChange } from "../../model/plan.ts";
import {
  type PostStatus,
  type RemotePost,
  type ResolvedPost,
  type UtcTime,
  indexById,
} from "../../model/post.ts";
import type { WithheldCancels } from "../../problems/plan-texts.ts";
import type { Staying } from "./staying.ts";

export interface DiffInput {
  /** Every ready row of every calendar that is not held. */
  readonly desired: readonly ResolvedPost[];
  readonly holds: HeldPosts;
  /** The ready rows that are held, by key. */
  readonly held: ReadonlyMap<string, HeldRow>;
  /**
   * Whether a person holds rows now. Then a post that a held row would adopt is cancelled, too. In a clone with an old
   * hold, it may be the post of a row that somebody has released since.
   */
  readonly isHolding?: boolean | undefined;
  readonly lockfile: Lockfile;
  /** Whether there is no lockfile, although this checkout applied before. */
  readonly isLost?: boolean | undefined;
  /** The lockfile of the upstream branch as last fetched; undefined if nobody knows it. */
  readonly upstream?: Pick<Lockfile, "posts" | "cancelled"> | undefined;
  /** The service's scheduled posts, a whole list. */
  readonly remote: readonly RemotePost[];
  /** Whether there may be more posts than in the list. */
  readonly mayListBeIncomplete: boolean;
  /** Keyed by post id, for owned posts that are due later and missing in the list. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** Owned posts that the service keeps back, by their ids. Nothing happens to their rows. */
  readonly paused: ReadonlyMap<string, PausedPost>;
  /** Ms since the epoch. */
  readonly now: number;
  readonly leadTimeMs: number;
  readonly settleMs: number;
  /** Whether this run may change a calendar's posts. */
  readonly inScope: (file: string) => boolean;
  /** Keys of rows that have expired, even if the service does not store when a post expires. */
  readonly expired: ReadonlySet<string>;
  /** What stays as it is, although no desired row asks for it. */
  readonly staying: Staying;
  /** The keys of rows that are now drafts or skipped. Computed on demand, because only cancels need them. */
  readonly setAside: () => ReadonlySet<string>;
}

/** A post that the service has, with a status that plancast does not know, such as `draft`. */
interface PausedPost {
  /** The service's word. */
  readonly status: string;
  /** Its row; undefined if it is gone. */
  readonly row: ResolvedPost | undefined;
  readonly file: string;
}

/**
 * The status of an owned post that is missing in the list of scheduled posts. `unknown`: the service has it, returns no
 * status for it, and does not show where the list ends. It must not be created again.
 */
export type Absence = Exclude<PostStatus, "scheduled">;

export interface Diff {
  readonly changes: readonly Change[];
  readonly kept: readonly Keep[];
  readonly pending: readonly PendingChange[];
  readonly held: readonly HeldRow[];
  /** Rows that only a person may let plancast create. */
  readonly missing: readonly MissingRow[];
  readonly past: readonly ResolvedPost[];
  readonly unmanaged: readonly RemotePost[];
  /** Why posts without a row stay. Undefined if none does. */
  readonly withheld: WithheldCancels | undefined;
  /** Owned posts that are scheduled, by key. */
  readonly owned: Ownership["owned"];
}

/** A post that the lockfile owns and the service has scheduled. */
export interface OwnedRemote {
  readonly key: string;
  readonly remote: RemotePost;
  readonly dueAt: UtcTime;
  readonly fingerprint: string;
  readonly stored: StoredParts | undefined;
  readonly file: string;
}

/** The lockfile's posts and the service's, joined. */
export interface Ownership {
  /** Owned posts that are scheduled, by key. */
  readonly owned: ReadonlyMap<string, OwnedRemote>;
  /** Old halves of replacements that still exist, by the key of their row. */
  readonly retiring: ReadonlyMap<string, readonly RemotePost[]>;
  /** All other scheduled posts, except posts that this project has cancelled and that an old list still shows. */
  readonly notOwned: readonly RemotePost[];
  /** Whether the lockfile gives a post to several keys. */
  readonly hasDuplicateOwners: boolean;
  /** The lockfile's posts that are not in the list. */
  readonly unlisted: readonly OwnedPost[];
}

/** The input with lookups for all decisions. */
export type DiffContext = DiffInput & Ownership;

type PostsOfLockfile = Pick<Lockfile, "posts" | "retiring" | "cancelled">;

export function joinOwned(lockfile: PostsOfLockfile, posts: readonly RemotePost[]): Ownership {
  const remote = indexById(posts);
  const owned = new Map<string, OwnedRemote>();
  const unlisted: OwnedPost[] = [];
  const ids = new Set<string>();
  const keys = Object.keys(lockfile.posts);
  for (const key of keys) {
    const entry = lockfile.posts[key];
    if (entry === undefined) continue;
    const { post_id, scheduled_at, fingerprint, stored, file } = entry;
    ids.add(post_id);
    const post = remote.get(post_id);
    if (post === undefined) {
      unlisted.push(entry);
      continue;
    }
    owned.set(key, { key, remote: post, dueAt: post.scheduledAt ?? scheduled_at, fingerprint, stored, file });
  }
  const retiring = new Map<string, RemotePost[]>();
  const notOwned: RemotePost[] = [];
  const hasDuplicateOwners = ids.size < keys.length;
  // Usually, a row owns every post.
  if (owned.size === remote.size && !hasDuplicateOwners)
    return { owned, retiring, notOwned, hasDuplicateOwners, unlisted };
  // A map, because looking up 100,000 missing keys in an object takes ten times as long.
  const former = new Map(Object.entries(lockfile.retiring));
  for (const post of posts) {
    // A lockfile that was merged by hand may also list a row's post for cancelling. The row keeps it.
    if (ids.has(post.id)) continue;
    const old = former.get(post.id);
    if (old !== undefined) retiring.set(old.key, [...(retiring.get(old.key) ?? []), post]);
    else if (!Object.hasOwn(lockfile.cancelled, post.id)) notOwned.push(post);
  }
  return { owned, retiring, notOwned, hasDuplicateOwners, unlisted };
}
