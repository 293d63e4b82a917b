import type { Problem } from "../calendar/problem.ts";

/** Errors before warnings; within each, in the order given. */
export function worstFirst(problems: readonly Problem[]): readonly Problem[] {
  const rank = ({ severity }: Problem): number => (severity === "error" ? 0 : 1);
  return problems.toSorted((one, other) => rank(one) - rank(other));
}
