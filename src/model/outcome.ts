/** What an apply did: the outcome of each change, and why one is not done. report/outcomes has the sentences. */

import type { Action } from "./plan.ts";

interface OutcomeOf<S extends string> {
  readonly key: string;
  readonly action: Action;
  readonly status: S;
}

/** What became of one change. One that fails hides no other. `code`: one of plancast's, or the service's own. */
export type Outcome =
  | (OutcomeOf<"done"> & { readonly postId: string })
  | (OutcomeOf<"failed"> & { readonly code: string; readonly reason: OutcomeReason })
  | (OutcomeOf<"unknown"> & { readonly reason: OutcomeReason })
  | OutcomeOf<"not_started">;

/**
 * Why a change failed, or why its result is not known. `oldId` and `newId` are the two posts of a replacement. `why`: what
 * kept its second half from being done; undefined where the run was stopped before it.
 */
export type OutcomeReason =
  /** In the words of the service, or of what fetched a file. Hostile text. */
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
  /** The row was past when calendars were checked, and is not any more. `address`: safe to show. */
  | { readonly kind: "clock-set-back"; readonly address: string }
  /** The service gave the id of another row's post. */
  | { readonly kind: "id-of-other-row"; readonly postId: string; readonly otherKey: string }
  | { readonly kind: "run-ended" };

/** How one step of a change ended. With `fatal`, no further request can succeed. */
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

/** What an apply did, whole. */
export interface ApplyResult {
  readonly outcomes: readonly Outcome[];
  readonly uploaded: number;
  readonly requests: number;
  /** Time spent waiting for the rate limit, ms. */
  readonly waitedMs: number;
  readonly interrupted: boolean;
}
