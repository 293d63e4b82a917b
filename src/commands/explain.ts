import { Failure } from "../calendar/failure.ts";
import type { Problem } from "../calendar/problem.ts";
import { ProjectProblems } from "../read/project-problems.ts";
import { failureProblem, failureText } from "../report/failure-text.ts";
import { problemsText } from "../report/problems-text.ts";
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
