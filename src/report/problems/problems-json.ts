/** Problems for scripts: the document of `validate --format json`, and of a run that ended before it had a result. */

import type { RowCounts } from "../../calendars/row-groups.ts";
import { type Problem, errorsFirst } from "../../model/problem.ts";
import type { DocumentOf, failedSchema, problemSchema } from "../documents/parts.ts";
import type { validateSchema } from "../documents/calendars.ts";

type ProblemDocument = DocumentOf<typeof problemSchema>;

export function problemDocument(problem: Problem): ProblemDocument {
  const { code, severity, message, settings, file, line, column, cell } = problem;
  return { code, severity, message, settings, file, line, column, cell };
}

/** A run that ended before it had a result. */
export function failedDocument(problems: readonly Problem[]): DocumentOf<typeof failedSchema> {
  return { version: 1, problems: problems.map(problemDocument) };
}

/** The input of the offline checks, in numbers. */
interface ValidationCounts {
  /** Calendar files read. */
  readonly calendars: number;
  /** Undefined if the run ended before it read any row. */
  readonly rows: RowCounts | undefined;
  /** Web addresses of media that were not checked. */
  readonly unseen?: number;
}

const NO_ROWS: RowCounts = {
  upcoming: 0,
  past: 0,
  expired: 0,
  invalid: 0,
  drafts: 0,
  skipped: 0,
  filteredOut: 0,
};

export function validationDocument(
  problems: readonly Problem[],
  { calendars, rows = NO_ROWS, unseen = 0 }: ValidationCounts,
): DocumentOf<typeof validateSchema> {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const { upcoming, past, expired, invalid, drafts, skipped, filteredOut } = rows;
  return {
    version: 1,
    summary: {
      calendars,
      posts: upcoming + past + expired + invalid,
      upcoming,
      past,
      expired,
      invalid,
      draft: drafts,
      skipped,
      filtered_out: filteredOut,
      errors,
      warnings: problems.length - errors,
      ...(unseen > 0 ? { unseen_addresses: unseen } : {}),
    },
    problems: errorsFirst(problems).map(problemDocument),
  };
}
