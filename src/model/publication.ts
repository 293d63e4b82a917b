/** What became of a post after it was scheduled, as the service tells it. */

import { utcMs } from "./canonical.ts";
import type { PostStatus, UtcTime } from "./post.ts";

/** How a post went on one platform. */
export interface PlatformResult {
  /** Identifier of the platform, lower case. */
  readonly platform: string;
  readonly state: "published" | "failed";
  /** Address of the published post on the platform. */
  readonly url?: string | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** What the service's own record says a post is. What it does not tell is absent. */
export interface ReportedPost {
  /** In canonical form, its beginning: see `keptContent`. */
  readonly content?: string | undefined;
  /** Lower case, sorted. */
  readonly platforms?: readonly string[] | undefined;
}

/** As much of a text as is kept to tell a post by, in UTF-16 units: a memory of many posts stays small. */
const EXCERPT_LENGTH = 500;

export function contentExcerpt(content: string): string {
  return content.slice(0, EXCERPT_LENGTH);
}

export interface Publication {
  readonly state: PostStatus;
  /** As far as told; not every platform need be among them. */
  readonly results: readonly PlatformResult[];
  /** What is to be said besides. */
  readonly reason?: string | undefined;
  /** Absent where the service has no such post, or tells nothing of it. */
  readonly post?: ReportedPost | undefined;
}

/** Whether the post came to an end. A failure may be another one tomorrow: see `isForGood`. */
export function isFinished({ state }: Publication): boolean {
  return state === "published" || state === "failed" || state === "cancelled";
}

/**
 * So long after a post was due, a failure may still turn into a success, ms: the service tries again by itself, or
 * somebody has it tried again who read of it the next morning. Later tries are seldom, and asking for ever costs requests.
 */
const RETRY_PERIOD_MS = 24 * 3_600_000;

/** Whether nothing more will become of the post, so that nobody need ask again. `now`: Unix time, ms. */
export function isFinal(publication: Publication, dueAt: UtcTime, now: number): boolean {
  return isFinished(publication) && (publication.state !== "failed" || now - utcMs(dueAt) > RETRY_PERIOD_MS);
}

/**
 * What became of a row. `cancelled`: by somebody else, outside of plancast. `unknown`: nobody can tell so far.
 * `not_applied`: no apply has scheduled it.
 */
export const ROW_STATES = [
  "scheduled",
  "published",
  "failed",
  "cancelled",
  "unknown",
  "not_applied",
] as const satisfies readonly (PostStatus | "not_applied")[];

export type RowState = (typeof ROW_STATES)[number];

/**
 * What became of the row since its post was applied. `set_aside`: it is a draft or skipped now. `unreadable`: nothing
 * stands for it in a calendar of which a row cannot be understood, so it may be gone or not.
 */
export type RowSince = "edited" | "set_aside" | "gone" | "unreadable";

/**
 * What there is to say about a row's state. `said`: what the service said. `late`: past due, and still scheduled.
 * `gone`, `gone-when-due`: the service no longer has the post. `unknown-create`: nobody knows whether it was created.
 */
export type RowReason =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "late" | "gone" | "gone-when-due" | "unknown-create" };

/** One post of a row, or a post that the project owns and no row stands for any more. */
export interface RowStatus {
  readonly key: string;
  readonly file: string;
  /** Undefined where no row stands for the post any more. */
  readonly line: number | undefined;
  /** As people name it: `plan.csv:4`, a cell of a sheet, or the file alone. */
  readonly place: string;
  readonly scheduledAt: UtcTime;
  /** Of the post, in lower case: as the row says; where that is another since, as the service tells. */
  readonly platforms: readonly string[];
  /** Likewise, its beginning; empty where that is not known. */
  readonly content: string;
  readonly state: RowState;
  readonly postId: string | undefined;
  readonly results: readonly PlatformResult[];
  readonly reason: RowReason | undefined;
  /** Undefined where the row is as it was applied, or was never applied. */
  readonly since: RowSince | undefined;
}
