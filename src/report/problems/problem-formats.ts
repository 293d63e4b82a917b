/** The formats of other tools, which show only problems. */

export const PROBLEM_FORMATS = ["sarif", "junit"] as const;

export type ProblemFormat = (typeof PROBLEM_FORMATS)[number];

export function isProblemFormat(format: string | undefined): format is ProblemFormat {
  return PROBLEM_FORMATS.some((name) => name === format);
}
