/** `validate --format json`: the contract with scripts. */
import type { Problem } from "../calendar/problem.ts";
import { problemDocument, type ProblemDocument } from "./problem-document.ts";

/** What a run of the offline checks looked at. */
export interface ValidationCounts {
  /** Calendar files read. */
  readonly calendars: number;
  /** Rows that are to be planned, those with problems included. */
  readonly posts: number;
  /** Rows set aside by their status: draft or skip. */
  readonly draft: number;
  /** Addresses of media that were not looked at. */
  readonly unseen?: number;
}

export interface ValidationDocument {
  readonly version: 1;
  readonly summary: Omit<ValidationCounts, "unseen"> & {
    readonly errors: number;
    readonly warnings: number;
    /** Only where there are such. */
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
