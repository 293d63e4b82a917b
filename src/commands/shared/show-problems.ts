/** The problems that a plan met, for people. */

import { hasErrors } from "../../model/problem.ts";
import { problemsText } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import type { Planning } from "../../sync/sync.ts";
import type { Console } from "./console.ts";
import { sourceLines } from "./print-problems.ts";

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
