/** What ended a run, and the problems that a plan met, for people. */

import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { failureProblem, failureText } from "../../report/problems/failure.ts";
import { problemsText } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import type { Planning } from "../../sync/sync.ts";
import type { Console } from "./console.ts";
import { sourceLines } from "./print-problems.ts";

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

/** Problems are about the run, so they go to stderr; warnings not at all when quiet. */
export function showProblems(
  { problems, checked }: Pick<Planning, "problems" | "checked">,
  console: Console,
): void {
  const leftOut = checked.filteredRows.count(checked.inScope);
  if (leftOut > 0)
    console.note(`${plural(leftOut, "row")} left out by the filter; what they own is left alone.\n`);
  if (problems.length === 0) return;
  const text = `${problemsText(problems, sourceLines(checked.calendars), console.errorStyle)}\n`;
  if (hasErrors(problems)) console.alert(text);
  else console.note(text);
}
