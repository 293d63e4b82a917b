import type { Action } from "./change.ts";

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
