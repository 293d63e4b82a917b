/** The formats of other tools that show problems, and no other results of a run. */

export const PROBLEM_FORMATS = ["sarif", "junit"] as const;

export type ProblemFormat = (typeof PROBLEM_FORMATS)[number];

export function isProblemFormat(format: string | undefined): format is ProblemFormat {
  return PROBLEM_FORMATS.some((name) => name === format);
}
