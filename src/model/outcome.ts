/**
 * The result of an apply: the outcome of each change and why one failed, and why a draft was not written.
 * report/outcomes has the sentences.
 */

import type { Action } from "./plan.ts";
import type { BodyPart } from "./post.ts";

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
