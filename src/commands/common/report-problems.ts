/** What ended a run, and the problems that a plan met, for people. */

import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";
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
  const filteredOut = checked.filteredRows.count(checked.inScope);
  if (filteredOut > 0)
    console.note(`${plural(filteredOut, "row")} left out by the filter; what they own is left alone.\n`);
  showCalendarProblems(problems, checked.calendars, console);
}

/** Problems with the lines of the calendars: errors in any case, warnings unless quiet. */
export function showCalendarProblems(
  problems: readonly Problem[],
  calendars: readonly RawCalendar[],
  console: Console,
): void {
  if (problems.length === 0) return;
  if (hasErrors(problems)) alertProblems(problems, calendars, console);
  else console.note(linesOf(problems, calendars, console));
}

/** Problems that must be seen. `calendars`: those whose lines are shown. */
export function alertProblems(
  problems: readonly Problem[],
  calendars: readonly RawCalendar[],
  console: Console,
): void {
  console.alert(linesOf(problems, calendars, console));
}

function linesOf(
  problems: readonly Problem[],
  calendars: readonly RawCalendar[],
  { errorStyle }: Console,
): string {
  return `${problemsText(problems, sourceLines(calendars), errorStyle)}\n`;
}
