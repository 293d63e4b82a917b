/** Makes problems in JSON, and the document of `validate --format json`. documents/ defines them. */

import type { Problem } from "../../model/problem.ts";
import type { DocumentOf, problemSchema } from "../documents/parts.ts";
import type { validateSchema } from "../documents/validate.ts";

export type ProblemDocument = DocumentOf<typeof problemSchema>;

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

export function validationDocument(
  problems: readonly Problem[],
  { calendars, posts, draft, unseen = 0 }: ValidationCounts,
): DocumentOf<typeof validateSchema> {
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
