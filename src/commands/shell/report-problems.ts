/** Reports what ended a run, and the problems of a plan. */

import { countRows } from "../../calendars/row-groups.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { maskAddresses } from "../../model/address.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";
import { countFiltered } from "../../model/row-filter.ts";
import { countsText, problemsText } from "../../report/problems/problems-text.ts";
import { failureProblem, failureText } from "../../report/problems/failure-text.ts";
import { failedDocument } from "../../report/problems/problems-json.ts";
import { plural } from "../../report/text/numbers.ts";
import type { Planning } from "../../sync/sync.ts";
import type { Run } from "./command.ts";
import type { Console } from "./console.ts";
import type { ExitCode } from "./shell.ts";

/** Shows on stderr what ended a run. Returns the same as problems, for the run's JSON document. */
export function reportError(error: unknown, console: Console): readonly Problem[] {
  if (error instanceof ProjectProblems) {
    console.alert(problemsText(error.problems, error.sourceLine, console.errorStyle));
    return error.problems;
  }
  console.alert(failureText(error, console.errorStyle, console));
  const problem = failureProblem(error);
  const hint = error instanceof Failure && error.hint !== undefined ? ` ${error.hint}` : "";
  return [{ ...problem, message: problem.message + hint }];
}

/** Problems are about the run, so they go to stderr; --quiet hides warnings. */
export function showProblems(
  { problems, checked }: Pick<Planning, "problems" | "checked">,
  console: Console,
): void {
  const filteredOut = countFiltered(checked.leftOut.rows, checked.inScope);
  if (filteredOut > 0)
    console.note(
      `The filter left out ${plural(filteredOut, "row")}; plancast does not change ${filteredOut === 1 ? "its" : "their"} posts.\n`,
    );
  showCalendarProblems(problems, checked.calendars, console);
  if (hasErrors(problems)) console.alert(`${countsText(countRows(checked, problems))}.\n`);
}

/** Problems with the lines of the calendars: always errors, and warnings unless --quiet. */
export function showCalendarProblems(
  problems: readonly Problem[],
  calendars: readonly RawCalendar[],
  console: Console,
): void {
  if (problems.length === 0) return;
  if (hasErrors(problems)) alertProblems(problems, calendars, console);
  else console.note(linesOf(problems, calendars, console));
}

/** Important problems. `calendars`: those whose lines are shown. */
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

/** Shows problems of calendars that end the run, and prints the document. */
export function refuseCalendars(
  problems: readonly Problem[],
  calendars: readonly RawCalendar[],
  { flags, console }: Run<{ readonly format: string }>,
): ExitCode {
  alertProblems(problems, calendars, console);
  if (flags.format === "json") console.json(failedDocument(problems));
  return 1;
}

/** The lines of the calendars, to show beside problems; without the secret parts of addresses. */
export function sourceLines(
  calendars: readonly RawCalendar[],
): (file: string, line: number) => string | undefined {
  const byFile = new Map(calendars.map((calendar) => [calendar.file, calendar]));
  return (file, line) => {
    const text = byFile.get(file)?.sourceLine(line);
    return text === undefined ? undefined : maskAddresses(text);
  };
}
