/**
 * What happened to a post after it was scheduled, as the service reports it, and what that means for the row of the
 * post.
 */

import { utcMs } from "./canonical.ts";
import type { PostStatus, UtcTime } from "./post.ts";

/** How publishing a post went on one platform. */
export interface PlatformResult {
  /** Identifier of the platform, lower case. */
  readonly platform: string;
  /** `expired`: nobody published it before its `expires`. `scheduled`: an attempt failed, and another one may succeed. */
  readonly state: "published" | "failed" | "expired" | "scheduled";
  /** Address of the published post on the platform. */
  readonly url?: string | undefined;
  /** Why it failed, or what readers see differently than the row says it. */
  readonly reason?: string | undefined;
}

/** What the service's own record says about a post. Unknown facts are absent. */
export interface ReportedPost {
  /** The beginning of the canonical form: see `contentExcerpt`. */
  readonly content?: string | undefined;
  /** Lower case, sorted. */
  readonly platforms?: readonly string[] | undefined;
}

/** How much of a text is stored to recognise a post, in UTF-16 units: a record of many posts stays small. */
const EXCERPT_LENGTH = 500;

export function contentExcerpt(content: string): string {
  return content.slice(0, EXCERPT_LENGTH);
}

export interface Publication {
  readonly state: PostStatus;
  /** Absent if the service does not report them. Platforms may be missing. */
  readonly results: readonly PlatformResult[];
  /** When it was published, as far as the service or an event says it. */
  readonly publishedAt?: UtcTime | undefined;
  /** Further facts to show. */
  readonly reason?: string | undefined;
  /** Absent if the service does not have the post, or reports nothing about it. */
  readonly post?: ReportedPost | undefined;
}

/** Whether the post has a final status. A failure may still become a success: see `isFinal`. */
export function isFinished({ state }: Publication): boolean {
  return state === "published" || state === "failed" || state === "cancelled";
}

/**
 * How long after its time a failed post may still succeed, in ms. The service tries again, or somebody who reads
 * about it the next morning does. Later retries are rare, and asking forever costs requests.
 */
const RETRY_PERIOD_MS = 24 * 3_600_000;

/** Whether the status is final, so that nobody needs to ask again. `now`: Unix time, in ms. */
export function isFinal(publication: Publication, dueAt: UtcTime, now: number): boolean {
  return isFinished(publication) && (publication.state !== "failed" || now - utcMs(dueAt) > RETRY_PERIOD_MS);
}

/** Whether nothing more happens on an account on which plancast publishes without a service. */
export function isOverOnAccount(publication: {
  readonly state: string;
  readonly next_at?: string | undefined;
}): boolean {
  const { state, next_at: next } = publication;
  return ["published", "failed", "expired"].includes(state) || (state === "unknown" && next === undefined);
}

/**
 * What happened to a post on an account on which plancast publishes without a service. `waiting`: it is tried again.
 * `lost`: the claim ended, and another process took the post over.
 */
export const ACCOUNT_STATES = ["published", "failed", "expired", "waiting", "unknown", "lost"] as const;

export type AccountState = (typeof ACCOUNT_STATES)[number];

/** The result on an account, for a log. */
export interface AccountNews {
  readonly account: string;
  readonly postId: string;
  readonly state: AccountState;
  readonly url?: string | undefined;
  readonly reason?: string | undefined;
  /** The account's server does not accept its secret, so nothing more is sent there. */
  readonly isSignInRefused?: true;
}

/**
 * The status of a row's post. `expired`: it was not published in time on any network. `cancelled`: by somebody else, outside plancast. `missing`: still due, but gone from the service. `held`: a hold withholds it. `unknown`: nobody can know yet.
 * `not_applied`: no apply has scheduled it.
 */
export const ROW_STATES = [
  "scheduled",
  "published",
  "failed",
  "expired",
  "cancelled",
  "missing",
  "held",
  "unknown",
  "not_applied",
] as const satisfies readonly (PostStatus | "expired" | "held" | "not_applied")[];

export type RowState = (typeof ROW_STATES)[number];

/**
 * What happened to the row after its post was applied. `set_aside`: it is now a draft or skipped. `unreadable`: its
 * calendar has a row that plancast cannot understand, so this row may be gone or not.
 */
export type RowSince = "edited" | "set_aside" | "gone" | "unreadable";

/**
 * A remark on a row's status. `said`: from the service. `late`: past due, and still scheduled. `gone`, `removed`, `gone-when-due`:
 * the service no longer has the post, or says that it is cancelled. `unknown-create`: nobody knows whether it was created. `missed`: the row's time
 * passed a short time ago, and no apply had scheduled it. `expired`: the same, and it may not be published any more.
 */
export type RowReason =
  | { readonly kind: "said"; readonly text: string }
  | {
      readonly kind: "late" | "gone" | "removed" | "gone-when-due" | "unknown-create" | "missed" | "expired";
    };

/** One post of a row, or a post that the project owns although its row is gone. */
export interface RowStatus {
  readonly key: string;
  readonly file: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** Undefined if the row of the post is gone. */
  readonly line: number | undefined;
  /** As people name it: `plan.csv:4`, a cell of a sheet, or only the file. */
  readonly place: string;
  readonly scheduledAt: UtcTime;
  /** The zone in which the row says its time, if it names one. */
  readonly timezone?: string | undefined;
  /** In lower case: of the row, or of the service's record if the row is gone. */
  readonly platforms: readonly string[];
  /** The row's campaign. */
  readonly campaign?: string | undefined;
  /** The beginning of the content, from the same source; empty if unknown. */
  readonly content: string;
  readonly state: RowState;
  readonly postId: string | undefined;
  readonly results: readonly PlatformResult[];
  readonly publishedAt?: UtcTime | undefined;
  readonly reason: RowReason | undefined;
  /** Undefined if the row is as it was applied, or was never applied. */
  readonly since: RowSince | undefined;
}
