/** What the catalogue says of a code. */
export interface CodeEntry {
  readonly severity: "error" | "warning";
  /** What holds where all is well, as one sentence. */
  readonly rule: string;
}
