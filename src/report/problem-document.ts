import type { Problem, Severity } from "../calendar/problem.ts";

/** A problem in JSON output. What does not apply is absent. Lines and columns count from 1, columns in UTF-16 units. */
export interface ProblemDocument {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export function problemDocument({ code, severity, message, file, line, column }: Problem): ProblemDocument {
  return {
    code,
    severity,
    message,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
