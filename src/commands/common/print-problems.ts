/** Problems in the formats of other tools. Their paths start at the working folder, as those of such tools do. */

import { relative, sep } from "node:path";
import type { CheckedCalendars } from "../../calendars/check.ts";
import { maskAddresses } from "../../model/media-address.ts";
import type { Problem } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";
import type { ProblemFormat } from "../../report/problems/problem-formats.ts";
import type { Project } from "../../settings/config.ts";
import { VERSION } from "../../version.ts";
import type { Command } from "./command.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

export async function printProblemFormat(
  format: ProblemFormat,
  { problems, calendars, inScope }: Pick<CheckedCalendars, "problems" | "calendars" | "inScope">,
  project: Project,
  { cwd }: Pick<Shell, "cwd">,
  console: Console,
): Promise<void> {
  const { formatProblems } = await import("../../report/problems/format-problems.ts");
  const files = calendars.map(({ file }) => file).filter(inScope);
  const folder = relative(cwd, project.root).split(sep).join("/");
  console.result(formatProblems(format, problems, { version: VERSION, folder, files }));
}

/** The document of a run that ended before it had a result; nothing unless the format is `json`. */
export async function printProblemsJson(
  problems: readonly Problem[],
  format: string | undefined,
  console: Console,
): Promise<void> {
  if (format !== "json") return;
  const { problemDocument } = await import("../../report/problems/problems-json.ts");
  console.json({ version: 1, problems: problems.map(problemDocument) });
}

/** For `printFailed`: prints what `documentOf` makes of the problems; nothing unless the format is `json`. */
export function printFailedJson(
  documentOf: (problems: readonly Problem[]) => object,
): NonNullable<Command<never>["printFailed"]> {
  return async (problems, format, console) => {
    if (format === "json") console.json(documentOf(problems));
  };
}

/** What ended a run before there was a project to read. */
export async function printFailedProblemFormat(
  format: ProblemFormat,
  problems: readonly Problem[],
  console: Console,
): Promise<void> {
  const { formatProblems } = await import("../../report/problems/format-problems.ts");
  console.result(formatProblems(format, problems, { version: VERSION, folder: "", files: [] }));
}

/** The lines of the calendars, to show beside problems; without what addresses in them keep secret. */
export function sourceLines(
  calendars: readonly RawCalendar[],
): (file: string, line: number) => string | undefined {
  const byFile = new Map(calendars.map((calendar) => [calendar.file, calendar]));
  return (file, line) => {
    const text = byFile.get(file)?.sourceLine(line);
    return text === undefined ? undefined : maskAddresses(text);
  };
}
