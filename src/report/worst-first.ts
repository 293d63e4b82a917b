import type { Problem } from "../calendar/problem.ts";

/** Errors before warnings; within each, in the order given. */
export function worstFirst<T extends Pick<Problem, "severity">>(problems: readonly T[]): readonly T[] {
  const rank = ({ severity }: T): number => (severity === "error" ? 0 : 1);
  return problems.toSorted((one, other) => rank(one) - rank(other));
}
