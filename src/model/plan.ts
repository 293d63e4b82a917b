/**
 * A plan: what apply would change on the service, and what prevents it. And its result: the outcome of each change and why
 * one failed, and why a draft was not written. report/outcomes has the sentences.
 */

import type { Hold } from "./holds.ts";
import type { MissingWhy, RetryCondition, WhereMissing } from "../problems/plan-texts.ts";
import type { BodyPart, MediaFile, RemotePost, ResolvedPost, UtcTime } from "./post.ts";
import type { Problem } from "./problem.ts";

/** A plan's hash, whole and in small letters: people and programs copy it, and never type it. */
export const PLAN_HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * Why a post is created. `earlier-create-lost`: an earlier create had an unknown result, and its post never appeared.
 * `half-replaced`: an earlier run cancelled the old post, and did not create the new one. `row-rescheduled`: the row's
 * earlier post is over, and the row has a new time. `released`: the hold that cancelled it has ended. `allowed-again`: it
 * is missing, and a person decided.
 */
export type CreateReason =
  "new-row" | "earlier-create-lost" | "half-replaced" | "row-rescheduled" | "released" | "allowed-again";

/** One thing to do. Each kind carries exactly the data that it needs. */
export type Change =
  | {
      readonly action: "create";
      readonly key: string;
      readonly desired: ResolvedPost;
      /** Ids of other people's posts in the same place. */
      readonly conflictingIds: readonly string[];
      readonly reason: CreateReason;
      /** Id of a post that is gone, and that this one takes the place of. Default: the one that the lockfile has. */
      readonly forgets?: string | undefined;
    }
  | {
      readonly action: "replace";
      readonly key: string;
      readonly desired: ResolvedPost;
      readonly remote: RemotePost;
      /** The differences between the row and the post. Empty if the service shows too little to find out. */
      readonly fields: readonly BodyPart[];
      /** `adopted`: plancast adopted the post, and the service does not show all parts that its row had then. */
      readonly reason: "row-changed" | "adopted";
      readonly conflictingIds: readonly string[];
    }
  | {
      readonly action: "cancel";
      readonly key: string;
      readonly remote: RemotePost;
      /** When the post is due: as the service reports it, otherwise as the lockfile records it. */
      readonly dueAt: UtcTime;
      /** The calendar that had the row. */
      readonly file: string;
      /** The old half of an interrupted replacement. The guards do not count this cancel. */
      readonly retiring: boolean;
      /**
       * `row-regrouped` and `not-repeated`: the row still exists, but now makes other posts, or repeats on other
       * days.
       */
      readonly reason:
        | "row-gone"
        | "row-held"
        | "row-set-aside"
        | "row-regrouped"
        | "not-repeated"
        | "replacement-scheduled";
      /** The hold, if that is the reason. */
      readonly hold?: string | undefined;
    }
  | {
      readonly action: "adopt";
      readonly key: string;
      readonly desired: ResolvedPost;
      readonly remote: RemotePost;
    };

export type Action = Change["action"];

export type Create = Extract<Change, { action: "create" }>;

/**
 * A row whose post is gone from the service. Somebody removed it, or another clone replaced it, so only a person
 * decides whether plancast creates it again.
 */
export interface MissingRow {
  readonly action: "missing";
  readonly key: string;
  /** What apply does if a person decides so. */
  readonly create: Create;
  /** Id of the post that is gone. Undefined if the lockfile has none for the row. */
  readonly postId: string | undefined;
  readonly why: MissingWhy;
  /** Whether the upstream branch has a newer lockfile, with another post for the row or none. */
  readonly isBehind: boolean;
  /** Unmanaged posts of the same minute or the same text: perhaps newer versions of the row. */
  readonly besides: readonly RemotePost[];
}

/** A row that must not go out until its hold ends. */
export interface HeldRow {
  readonly action: "held";
  readonly key: string;
  readonly desired: ResolvedPost;
  readonly hold: Hold;
}

/** A row whose post is already scheduled correctly. Needs no request. */
export interface Keep {
  readonly action: "keep";
  readonly key: string;
  readonly desired: ResolvedPost;
  readonly remote: RemotePost;
}

/** A pending create that is too recent to try again. The row may be gone. */
export type PendingChange = PendingPost & RetryCondition;

interface PendingPost {
  readonly action: "pending";
  readonly key: string;
  /** The row; undefined if it is gone. */
  readonly desired: ResolvedPost | undefined;
  readonly file: string;
  readonly dueAt: UtcTime;
}

/** Why apply would refuse this plan. `cancels`: posts that it would cancel, without replaced posts. */
export type Guard =
  | {
      readonly code: "guard/too-many-cancels";
      readonly cancels: number;
      /** The number that the settings or the user allow. */
      readonly limit: number;
      readonly limitFrom: "settings" | "person";
    }
  | {
      readonly code: "guard/too-many-cancels-percent";
      readonly cancels: number;
      /** The owned posts that are scheduled. */
      readonly total: number;
      /** The share of these posts that would be cancelled, and the largest share allowed. */
      readonly percent: number;
      readonly limit: number;
    }
  | { readonly code: "guard/no-rows"; readonly cancels: number }
  | {
      readonly code: "guard/not-as-recorded";
      readonly cancels: number;
      /** The number of posts to cancel that differ from what the lockfile recorded. */
      readonly others: number;
    };

export interface Summary {
  readonly create: number;
  readonly replace: number;
  readonly cancel: number;
  readonly adopt: number;
  /** Rows whose post is gone from the service. */
  readonly missing: number;
  readonly held: number;
  readonly keep: number;
  readonly past: number;
  /** How many of the past rows have expired. */
  readonly expired: number;
  readonly draft: number;
  /** Rows that are already published or cancelled. */
  readonly skipped: number;
  readonly unmanaged: number;
}

/** An automation of the service, and its input. */
interface AfterApplyTrigger {
  readonly id: string;
  readonly input: string;
}

/** What apply would do. Built by a pure function: equal inputs give an equal plan. */
/** What a service needs for changes. */
export interface RequestCosts {
  /** How many creates, or how many other changes, travel in one request. Undefined: each has requests of its own. */
  readonly changesPerRequest: number | undefined;
  /** Whether a file needs a request. */
  readonly hasUploads: boolean;
}

export interface Plan {
  /** `sha256:` and hex, over rows, lockfile, remote posts and the resulting decisions. Computed on demand. */
  readonly hash: () => string;
  readonly summary: Summary;
  readonly guards: readonly Guard[];
  /** Posts that only the checkout's lockfile gives to the project, and that no row of this run has as they are: ids. */
  readonly unproved: ReadonlySet<string>;
  /** The automation that an apply with changes triggers. */
  readonly afterApply?: AfterApplyTrigger | undefined;
  /** Distinct files to upload, in the order in which posts need them. */
  readonly uploads: readonly MediaFile[];
  /** Earliest first: the order of apply. */
  readonly changes: readonly Change[];
  readonly kept: readonly Keep[];
  readonly pending: readonly PendingChange[];
  readonly held: readonly HeldRow[];
  /** Apply leaves these rows as they are, unless a person decides otherwise. */
  readonly missing: readonly MissingRow[];
  readonly whereMissing: WhereMissing;
  readonly costs: RequestCosts;
  /** Requests that apply will send, without retries: uploads, creates and cancels. */
  readonly requests: number;
  /** The files that were uploaded earlier, by media id. */
  readonly uploadedFiles: () => ReadonlyMap<string, UploadedFile>;
  readonly problems: readonly Problem[];
}

/**
 * A file of the project that the service has. A separate type, because the page in the browser reads this module, and
 * lockfile.ts needs Node.
 */
export interface UploadedFile {
  /** The path, as in the lockfile. */
  readonly path: string;
  readonly bytes: number;
}

interface OutcomeOf<S extends string> {
  readonly key: string;
  readonly action: Action;
  readonly status: S;
}

/** The outcome of one change. One failure does not hide another. `code`: from plancast, or the service's own. */
export type Outcome =
  | (OutcomeOf<"done"> & { readonly postId: string })
  | (OutcomeOf<"failed"> & { readonly code: string; readonly reason: OutcomeReason })
  | (OutcomeOf<"unknown"> & { readonly reason: OutcomeReason })
  | OutcomeOf<"not_started">;

/**
 * Why a change failed, or why its result is not known. `oldId` and `newId` are the two posts of a replacement. `why`:
 * the reason that the second half failed; undefined if the run was stopped before it.
 */
export type OutcomeReason =
  /** The message of the service, or of the code that downloaded a file. Hostile text. */
  | { readonly kind: "message"; readonly message: string }
  | { readonly kind: "published-before-cancel" }
  | { readonly kind: "published-before-replace" }
  | { readonly kind: "both-published"; readonly oldId: string; readonly newId: string }
  | {
      readonly kind: "old-not-cancelled";
      readonly oldId: string;
      readonly newId: string;
      readonly why: OutcomeReason | undefined;
    }
  | { readonly kind: "new-not-scheduled"; readonly oldId: string; readonly why: OutcomeReason | undefined }
  /** Somebody else cancelled the old post. `newId`: the new one, if its withdrawal is not confirmed. */
  | { readonly kind: "old-gone"; readonly oldId: string; readonly newId?: string }
  | { readonly kind: "upload-unknown"; readonly why: OutcomeReason }
  | { readonly kind: "file-changed"; readonly file: string }
  /** The row was past at the check, and no longer is. `address`: safe to show. */
  | { readonly kind: "clock-set-back"; readonly address: string }
  /** The service returned the id of another row's post. */
  | { readonly kind: "id-of-other-row"; readonly postId: string; readonly otherKey: string }
  /** The service accepted an update, but kept these parts as they were. */
  | { readonly kind: "not-updated"; readonly postId: string; readonly parts: readonly BodyPart[] }
  | { readonly kind: "run-ended" };

/** How one step of a change ended. After a `fatal` one, no further request can succeed. */
export type StepResult<T> =
  | { readonly result: "done"; readonly value: T }
  | {
      readonly result: "refused";
      readonly code: string;
      readonly reason: OutcomeReason;
      readonly fatal: boolean;
    }
  | { readonly result: "unknown"; readonly reason: OutcomeReason }
  | { readonly result: "not_started" };

/** The whole result of an apply. */
export interface ApplyResult {
  readonly outcomes: readonly Outcome[];
  readonly uploaded: number;
  /** How many missing rows the run left as they are. */
  readonly missing: number;
  readonly requests: number;
  /** Time spent waiting for the rate limit, in ms. */
  readonly waitedMs: number;
  readonly interrupted: boolean;
}

/** Why a text or a picture for a row was not written, as data. report/outcomes has the sentences. */
export type UndraftedReason =
  /** The message of the service or of a download, or the reason why the calendar cannot hold it. Hostile text. */
  | { readonly kind: "message"; readonly message: string }
  /** `changed-since`: somebody changed the row after the request. `no-row`: no row asks for it any more. */
  | { readonly kind: "changed-since" | "no-row" | "calendar-changed" | "no-picture" | "not-downloaded" }
  | { readonly kind: "no-image"; readonly mime: string }
  | { readonly kind: "names-taken"; readonly stem: string; readonly count: number }
  | { readonly kind: "not-writable"; readonly why: string };

/**
 * What happens to an answer that could not be written: it waits, or is forgotten, so that the next run may ask again.
 */
export type AnswerNext = "waits" | "asked-again" | "row-stays";
