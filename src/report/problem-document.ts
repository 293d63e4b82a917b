import type { Problem, Severity } from "../calendar/problem.ts";

/** A problem in JSON output. What does not apply is absent. Lines and columns count from 1, columns of text in UTF-16 units. */
export interface ProblemDocument {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** In a sheet, its name and the cell's, for example `Plan!C14`. */
  readonly cell?: string;
}

export function problemDocument(problem: Problem): ProblemDocument {
  const { code, severity, message, file, line, column, cell } = problem;
  return {
    code,
    severity,
    message,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(cell === undefined ? {} : { cell }),
  };
}
