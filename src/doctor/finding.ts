/**
 * What `plancast doctor` finds of one thing: whether it is as it should be, or what to do.
 * `warning`: nothing must be done, but should be known. `skipped`: it could not be looked at.
 */
export type FindingState = "ok" | "warning" | "problem" | "skipped";

export interface Finding {
  /** What was looked at, in one word. */
  readonly name: string;
  readonly state: FindingState;
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** Lines for the project file. */
  readonly snippet?: string;
}
