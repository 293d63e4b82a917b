/** Problems as JSON, and `validate --format json`: a contract with scripts. */

import type { Problem, Severity } from "../../model/problem.ts";

/**
 * A problem in JSON output, without fields that do not apply. Lines and columns count from 1, columns of text in UTF-16
 * units.
 */
export interface ProblemDocument {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** For a sheet: the names of the sheet and the cell, for example `Plan!C14`. */
  readonly cell?: string | undefined;
}

export function problemDocument(problem: Problem): ProblemDocument {
  const { code, severity, message, file, line, column, cell } = problem;
  return { code, severity, message, file, line, column, cell };
}

/** The input of the offline checks, in numbers. */
export interface ValidationCounts {
  /** Calendar files read. */
  readonly calendars: number;
  /** Ready rows, including those with problems. */
  readonly posts: number;
  /** Rows with the status draft or skip. */
  readonly draft: number;
  /** Web addresses of media that were not checked. */
  readonly unseen?: number;
}

export interface ValidationDocument {
  readonly version: 1;
  readonly summary: Omit<ValidationCounts, "unseen"> & {
    readonly errors: number;
    readonly warnings: number;
    /** Absent if there are none. */
    readonly unseen_addresses?: number;
  };
  /** In file order. */
  readonly problems: readonly ProblemDocument[];
}

export function validationDocument(
  problems: readonly Problem[],
  { calendars, posts, draft, unseen = 0 }: ValidationCounts,
): ValidationDocument {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return {
    version: 1,
    summary: {
      calendars,
      posts,
      draft,
      errors,
      warnings: problems.length - errors,
      ...(unseen > 0 ? { unseen_addresses: unseen } : {}),
    },
    problems: problems.map(problemDocument),
  };
}
