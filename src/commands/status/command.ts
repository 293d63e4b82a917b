/**
 * `plancast status`: shows the status of each row, from the lockfile, from records of earlier runs, and from the
 * service for the rest. With --write, it writes when and where posts were published, or why not, into the calendars
 * that ask for it.
 */

import { type CalendarFile, editCalendar } from "../../calendars/edit/edit-calendar.ts";
import { type Selection, selectCalendars, severalEntries } from "../../calendars/select.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { countUnplanned } from "../../checks/validate.ts";
import { Failure } from "../../model/failure.ts";
import type { ResultPart } from "../../model/fields.ts";
import { type Problem, hasErrors, problem } from "../../model/problem.ts";
import {
  type StatusDocument,
  type StatusRow,
  resultEdits,
  statusCsv,
  statusDocument,
  statusRow,
} from "../../report/status/status-data.ts";
import { statusText } from "../../report/status/status-text.ts";
import type { Project } from "../../settings/config.ts";
import { readHolds } from "../project/base.ts";
import { isUnderstood, readCalendarFiles, saveCalendarFile } from "../project/written-files.ts";
import { withService } from "../project/connect.ts";
import { openProject } from "../project/project.ts";
import {
  type FlagsOf,
  type GlobalFlags,
  type ProjectRun,
  ONLY_OPTION,
  calendarsPositional,
  defineCommand,
  defineFlags,
  formatOption,
  parseOnly,
  switchOption,
} from "../shell/command.ts";
import type { Console } from "../shell/console.ts";
import { alertProblems, refuseCalendars } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { readRows, rowStatuses } from "./read.ts";

type Flags = GlobalFlags & StatusFlags;

const FLAGS = defineFlags({
  calendar: calendarsPositional("show"),
  only: ONLY_OPTION,
  write: switchOption("Write results into the calendars, as `results:` in plancast.yaml says"),
  format: formatOption("json", "csv"),
});

type StatusFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["status", "Show every applied row; exit with 1 if a post failed"],
    ["status --only date=2027-03", "Show the rows of one month"],
    ["status --format csv > report.csv", "Count posts by month, network and campaign"],
  ],
  run: async (run) => showStatus(await openProject(run)),
  forAll: { single: ["calendar"] },
});

async function showStatus(run: ProjectRun<StatusFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const narrowing = { calendars: flags.calendar, only: parseOnly(flags.only) };
  const parts = flags.write ? wantedResults(project) : undefined;
  const holds = await readHolds(project);
  const selected = await selectCalendars(project, { ...narrowing, holds }, shell.cwd);
  // The rows come from exactly the bytes that are edited.
  const files = parts && (await readCalendarFiles(project, selected.calendars, selected.only));
  const selection = files ? { ...selected, calendars: files.map(({ calendar }) => calendar) } : selected;
  // A name that is not a calendar would look like a calendar without posts.
  if (hasErrors(selection.problems)) return refuseCalendars(selection.problems, [], run);
  const read = await readRows(run, selection);
  const { validated, problems } = read;
  // A filter by an unknown column would show no row, either.
  const slips = problems.filter(({ code }) => code === "columns/not-found");
  if (slips.length > 0) return refuseCalendars(slips, [], run);
  const { rows, requests } = await withService(run, "read-only", async (opened) => {
    const { statuses } = await rowStatuses(run, read, opened);
    return { rows: statuses.map(statusRow), requests: opened.requests() };
  });
  const results = files && parts && (await writeResults(project, selection, files, rows, parts));
  const refused = results?.problems ?? [];
  const unplanned = countUnplanned(validated.skippedRows, selection.inScope);
  const more = { requests, written: results?.written };
  const document = statusDocument(rows, unplanned, more, [...problems, ...refused]);
  print(document, project.config.timezone ?? "UTC", flags, console);
  if (flags.format !== "json") alertProblems(refused, [], console);
  return refused.length > 0 ? 1 : exitCode(document);
}

function print(document: StatusDocument, timezone: string, { format }: Flags, console: Console): void {
  switch (format) {
    case "json":
      console.json(document);
      return;
    case "csv":
      console.result(statusCsv(document, timezone));
      return;
    case "text":
      console.result(statusText(document, timezone, console.style));
  }
}

/** Failed has priority over unknown, because it is certain. */
function exitCode({ summary }: StatusDocument): ExitCode {
  if (summary.failed > 0) return 1;
  return summary.unknown > 0 ? 3 : 0;
}

/** Throws a Failure unless the project asks for results in its calendars. */
function wantedResults({ config, file }: Project): readonly ResultPart[] {
  if (config.results.length > 0) return config.results;
  throw new Failure(
    "usage/arguments",
    `${file} does not ask for results in the calendars, so nothing was written.`,
    "Add `results: [time, url, error]` to it. plancast then writes the columns result_time, result_url and result_error.",
  );
}

interface Written {
  readonly written: NonNullable<StatusDocument["written"]>;
  readonly problems: readonly Problem[];
}

/**
 * Writes results into the calendars in scope.
 * @param rows the statuses of the files' rows
 */
async function writeResults(
  project: Project,
  { inScope }: Pick<Selection, "inScope">,
  files: readonly CalendarFile[],
  rows: readonly StatusRow[],
  parts: readonly ResultPart[],
): Promise<Written> {
  const written: Written["written"][number][] = [];
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
    return problem("write/not-written", message, at ?? { file: calendar.file });
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
