/** Writes results of publication into the calendars: `plancast status --write`. */

import { type CalendarFile, editCalendar } from "../../calendars/edit/edit-calendar.ts";
import { type Selection, severalEntries } from "../../calendars/select.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { Failure } from "../../model/failure.ts";
import type { ResultPart } from "../../model/fields.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { RowStatus } from "../../model/publication.ts";
import { type WrittenResults, resultEdits } from "../../report/status/status-data.ts";
import type { Project } from "../../settings/config.ts";
import { isUnderstood, saveCalendarFile } from "../project/calendar-files.ts";

/** Throws a Failure unless the project asks for results in its calendars. */
export function wantedResults({ config, file }: Project): readonly ResultPart[] {
  if (config.results.length > 0) return config.results;
  throw new Failure(
    "usage/arguments",
    `${file} does not ask for results in the calendars, so nothing was written.`,
    "Add `results: [time, url, error]` to it. plancast then writes the columns result_time, result_url and result_error.",
  );
}

interface Written {
  readonly written: readonly WrittenResults[];
  readonly problems: readonly Problem[];
}

/** @param rows the statuses of the files' rows */
export async function writeResults(
  project: Project,
  { inScope }: Pick<Selection, "inScope">,
  files: readonly CalendarFile[],
  rows: readonly RowStatus[],
  parts: readonly ResultPart[],
): Promise<Written> {
  const written: WrittenResults[] = [];
  const problems: Problem[] = [];
  for (const file of files.filter(({ calendar }) => inScope(calendar.file))) {
    const isShared = files.some((each) => each !== file && each.calendar.file === file.calendar.file);
    const edits = resultEdits(file.calendar.rows, rows, parts, project.config.timezone ?? "UTC");
    if (edits.length === 0) continue;
    if (isShared) throw severalEntries(file.calendar, "write into");
    // One after the other, because a calendar may be large.
    const result = await writeInto(project, file, edits);
    problems.push(...result.problems);
    if (result.rows > 0) written.push({ file: file.calendar.file, rows: result.rows });
  }
  return { written, problems };
}

async function writeInto(
  project: Project,
  file: CalendarFile,
  edits: ReturnType<typeof resultEdits>,
): Promise<{ readonly rows: number; readonly problems: readonly Problem[] }> {
  const { calendar } = file;
  const refused = (message: string, row?: number): Problem => {
    const at = row === undefined ? undefined : calendar.rows[row]?.at();
    return problem("status/not-written", message, at ?? { file: calendar.file });
  };
  if (!isUnderstood(file))
    return {
      rows: 0,
      problems: [refused("The file has errors. Run plancast validate, fix them, and run again.")],
    };
  const aliases = aliasesOf(project.config);
  const { contents, faults } = await editCalendar(file, edits, (name) => identify(name, aliases));
  const problems = faults.map(({ row, message }) => refused(message, row));
  if (faults.some(({ row }) => row === undefined) || faults.length === edits.length)
    return { rows: 0, problems };
  const isSaved = await saveCalendarFile(project, file, contents, "run the command again.");
  if (!isSaved)
    return {
      rows: 0,
      problems: [refused("Somebody saved the file during this run. Run the command again.")],
    };
  return { rows: edits.length - faults.length, problems };
}
