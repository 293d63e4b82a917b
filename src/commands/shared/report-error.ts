import { Failure, ProjectProblems } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import { failureProblem, failureText } from "../../report/problems/failure.ts";
import { problemsText } from "../../report/problems/problems-text.ts";
import type { Console } from "./console.ts";

/** Shows, on stderr, what ended a run. Gives the same as problems, for the run's JSON document. */
export function reportError(error: unknown, console: Console): readonly Problem[] {
  if (error instanceof ProjectProblems) {
    console.alert(problemsText(error.problems, (_file, line) => error.sourceLine(line), console.errorStyle));
    return error.problems;
  }
  console.alert(failureText(error, console.errorStyle, console));
  const problem = failureProblem(error);
  const hint = error instanceof Failure && error.hint !== undefined ? ` ${error.hint}` : "";
  return [{ ...problem, message: problem.message + hint }];
}
