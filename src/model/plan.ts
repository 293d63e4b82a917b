/** A plan: what apply would change on the service, and what keeps it from doing so. */

import type { MediaFile, RemotePost, ResolvedPost, UtcTime } from "./post.ts";
import type { Problem } from "./problem.ts";

/** What a replaced post differs in, in the words of the calendar. */
export type PostField = "content" | "platforms" | "scheduled_at" | "media";

/** One thing to do. Each kind carries exactly the data that it needs. */
export type Change =
  | {
      readonly action: "create";
      readonly key: string;
      readonly desired: ResolvedPost;
      /** Ids of posts of others in its place. */
      readonly conflictingIds: readonly string[];
      readonly reason: string;
    }
  | {
      readonly action: "replace";
      readonly key: string;
      readonly desired: ResolvedPost;
      readonly remote: RemotePost;
      readonly fields: readonly PostField[];
      readonly conflictingIds: readonly string[];
      readonly reason: string;
    }
  | {
      readonly action: "cancel";
      readonly key: string;
      readonly remote: RemotePost;
      /** When the post is due: by the service, else by the lockfile. */
      readonly dueAt: UtcTime;
      /** The calendar that held the row. */
      readonly file: string;
      /** The old half of a replacement that was cut short; such a cancel is not counted by the guards. */
      readonly retiring: boolean;
      readonly reason: string;
    }
  | {
      readonly action: "adopt";
      readonly key: string;
      readonly desired: ResolvedPost;
      readonly remote: RemotePost;
      readonly reason: string;
    };

export type Action = Change["action"];

/** A row that is already scheduled as it should be. Costs nothing. */
export interface Keep {
  readonly action: "keep";
  readonly key: string;
  readonly desired: ResolvedPost;
  readonly remote: RemotePost;
}

/** A row, or one that is gone, whose create had an unknown outcome too recently to try again. */
export type PendingChange = PendingPost & RetryCondition;

/** When it may be tried again; or, a sentence, why only a person can tell what became of it. */
export type RetryCondition =
  | { readonly until: UtcTime; readonly unsure?: undefined }
  | { readonly until?: undefined; readonly unsure: string };

interface PendingPost {
  readonly action: "hold";
  readonly key: string;
  /** The row; undefined when it is gone. */
  readonly desired: ResolvedPost | undefined;
  readonly file: string;
  readonly dueAt: UtcTime;
}

/** Why apply would refuse this plan. */
export interface Guard {
  readonly code: "guard/too-many-cancels" | "guard/too-many-cancels-percent" | "guard/no-rows";
  readonly message: string;
}

export interface Summary {
  readonly create: number;
  readonly replace: number;
  readonly cancel: number;
  readonly adopt: number;
  readonly keep: number;
  readonly past: number;
  readonly draft: number;
  readonly unmanaged: number;
}

/** What apply would do. Made by a pure function; equal inputs give an equal plan. */
export interface Plan {
  /** `sha256:` and hex, over rows, lockfile, remote posts and the decisions made of them. Computed when asked. */
  readonly hash: () => string;
  readonly summary: Summary;
  readonly guards: readonly Guard[];
  /** Distinct files to upload, in the order in which they are needed. */
  readonly uploads: readonly MediaFile[];
  /** Earliest first: the order of apply. */
  readonly changes: readonly Change[];
  readonly kept: readonly Keep[];
  readonly held: readonly PendingChange[];
  /** Requests that apply will send, without retries: uploads, creates and cancels. */
  readonly requests: number;
  readonly problems: readonly Problem[];
}

/** Why a row that is gone may be in a place that the run does not look at. */
export interface CancelRisks {
  /** Calendars outside the scope that could not be understood: a row that seems gone may have moved there. */
  readonly brokenOthers: readonly string[];
  /** Whether the command line narrows the run to some rows. */
  readonly isFiltered: boolean;
}

interface OutcomeOf<S extends string> {
  readonly key: string;
  readonly action: Action;
  readonly status: S;
}

/** What became of one change. One that fails hides no other. */
export type Outcome =
  | (OutcomeOf<"done"> & { readonly postId: string })
  | (OutcomeOf<"failed"> & { readonly code: string; readonly message: string })
  | (OutcomeOf<"unknown"> & { readonly message: string })
  | OutcomeOf<"not_started">;

/** What an apply did, whole. */
export interface ApplyResult {
  readonly outcomes: readonly Outcome[];
  readonly uploaded: number;
  readonly requests: number;
  /** Time spent waiting for the rate limit, ms. */
  readonly waitedMs: number;
  readonly interrupted: boolean;
}
