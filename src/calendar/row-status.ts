import type { PlatformResult } from "./fate.ts";
import type { UtcTime } from "./post.ts";

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
] as const;

export type RowState = (typeof ROW_STATES)[number];

/** One post of a row, or a post that the project owns and no row stands for any more. */
export interface RowStatus {
  readonly key: string;
  readonly file: string;
  /** Undefined where the row is gone. */
  readonly line: number | undefined;
  /** As people name it: `plan.csv:4`, a cell of a sheet, or the file alone. */
  readonly place: string;
  readonly scheduledAt: UtcTime;
  /** Lower case; as the row says, or as the service's results tell. */
  readonly platforms: readonly string[];
  /** Empty where the row is gone. */
  readonly content: string;
  readonly state: RowState;
  readonly postId: string | undefined;
  readonly results: readonly PlatformResult[];
  readonly reason: string | undefined;
}
