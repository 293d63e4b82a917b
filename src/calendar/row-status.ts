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

/**
 * What became of the row since its post was applied. `set_aside`: it is a draft or skipped now. `unreadable`: nothing
 * stands for it in a calendar of which a row cannot be understood, so it may be gone or not.
 */
export type RowSince = "edited" | "set_aside" | "gone" | "unreadable";

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
  readonly reason: string | undefined;
  /** Undefined where the row is as it was applied, or was never applied. */
  readonly since: RowSince | undefined;
}
