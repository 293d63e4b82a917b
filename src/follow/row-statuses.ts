/** Rows and the posts that they own become what is to be followed, and what became of it. Pure. */
import { utcMs, utcTime } from "../calendar/canonical.ts";
import { entryOf } from "../calendar/entry.ts";
import type { Fate } from "../calendar/fate.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import { rowName } from "../calendar/place-name.ts";
import type { Post } from "../calendar/post.ts";
import type { RowState, RowStatus } from "../calendar/row-status.ts";

/** A row, its post if it has one, and whether a create for it is in doubt. */
export interface Followed {
  readonly row: Omit<RowStatus, "state" | "results" | "reason">;
  readonly isInDoubt: boolean;
}

export interface FollowedRows {
  /** Rows that the run is about. */
  readonly posts: readonly Post[];
  readonly lockfile: Lockfile;
  /** Whether a post may be shown whose row is gone: by its key and its calendar. */
  readonly isShown: (key: string, file: string) => boolean;
}

/** What is to be followed, in the order in which it is due. */
export function followedRows({ posts, lockfile, isShown }: FollowedRows): readonly Followed[] {
  const keys = new Set(posts.map(({ key }) => key));
  const rowless = Object.entries(lockfile.posts).flatMap(([key, { post_id, scheduled_at, file }]) =>
    keys.has(key) || !isShown(key, file)
      ? []
      : [
          {
            key,
            file,
            line: undefined,
            place: file,
            scheduledAt: scheduled_at,
            platforms: [],
            content: "",
            postId: post_id,
          },
        ],
  );
  const rows = posts.map((post) => {
    const { key, content, platforms } = post;
    const { file, line } = post.source;
    const owned = entryOf(lockfile.posts, key);
    // An edited row is not applied yet: its post is due when it was.
    const scheduledAt = owned?.scheduled_at ?? post.scheduledAt;
    const place = rowName(post.source, post.at());
    return { key, file, line, place, scheduledAt, platforms, content, postId: owned?.post_id };
  });
  return [...rows, ...rowless]
    .map((row) => ({ row, isInDoubt: Object.hasOwn(lockfile.unknown, row.key) }))
    .sort((one, other) => compare(orderOf(one), orderOf(other)));
}

function orderOf({ row }: Followed): string {
  return `${row.scheduledAt} ${row.key}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A post that is still scheduled so long after it was due is worth a word, ms. */
const LATE_MS = 600_000;

/**
 * What became of a row.
 * @param fate of its post; undefined where it has none
 * @param now Unix time, ms
 */
export function rowStatus({ row, isInDoubt }: Followed, fate: Fate | undefined, now: number): RowStatus {
  const results = fate?.results ?? [];
  const platforms = row.platforms.length > 0 ? row.platforms : results.map(({ platform }) => platform);
  if (isInDoubt) {
    const reason = "An apply could not find out whether it is scheduled. Run plancast apply again.";
    return { ...row, platforms, state: "unknown", results, reason };
  }
  return { ...row, platforms, results, ...stateOf(row, fate, now) };
}

function stateOf(
  { scheduledAt, postId }: Followed["row"],
  fate: Fate | undefined,
  now: number,
): { readonly state: RowState; readonly reason: string | undefined } {
  if (fate === undefined || postId === undefined) return { state: "not_applied", reason: undefined };
  const { state, reason } = fate;
  const isDue = scheduledAt <= utcTime(now);
  switch (state) {
    case "scheduled":
      return { state, reason: now - utcMs(scheduledAt) > LATE_MS ? LATE : undefined };
    case "missing":
      return isDue ? { state: "unknown", reason: GONE_AFTER } : { state: "cancelled", reason: GONE_BEFORE };
    case "unclear":
      return { state: "unknown", reason };
    case "published":
    case "failed":
    case "cancelled":
      return { state, reason };
    default:
      return state satisfies never;
  }
}

const LATE = "It is past due, and the service still says that it is scheduled.";
const GONE_BEFORE = "The service no longer has it.";
const GONE_AFTER = "The service no longer has it, and it was due: nobody can tell whether it was published.";
