import type { Problem } from "../calendar/problem.ts";

/** The problems of one file, first place first. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
