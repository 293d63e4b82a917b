/** What the catalogue says of a code. The sentences are Markdown, as they stand in docs/reference/problems.md. */
export interface ProblemEntry {
  readonly severity: "error" | "warning";
  /** What holds where all is well, as one sentence. */
  readonly rule: string;
  /** What most often leads to it. */
  readonly cause: string;
  /** What to do about it. */
  readonly fix: string;
}
