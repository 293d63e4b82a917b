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
  postsCsv,
  resultEdits,
  statusCsv,
  statusDocument,
  statusRow,
} from "../../report/status/status-data.ts";
import { statusText } from "../../report/status/status-text.ts";
import { sheetCopies } from "../../settings/calendar-settings.ts";
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
import { type WrittenResults, writableSheets, writeIntoSheets } from "./sheet-results.ts";

type Flags = GlobalFlags & StatusFlags;

const FLAGS = defineFlags({
  calendar: calendarsPositional("show"),
  only: ONLY_OPTION,
  write: switchOption("Write results into calendars as `results:` says, and into sheets of Google"),
  format: formatOption("json", "csv", "csv-posts"),
});

type StatusFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["status", "Show every applied row; exit with 1 if a post failed"],
    ["status --format csv > report.csv", "Count posts by month, network and campaign"],
    ["status --format csv-posts > posts.csv", "List each post with its address and result"],
  ],
  run: async (run) => showStatus(await openProject(run)),
  forAll: { single: ["calendar"] },
});

async function showStatus(run: ProjectRun<StatusFlags>): Promise<ExitCode> {
  const { project, flags, console } = run;
  const found = await statusOf(run);
  if (typeof found === "number") return found;
  const { document, refused } = found;
  print(document, project.config.timezone ?? "UTC", flags, console);
  if (flags.format !== "json") alertProblems(refused, [], console);
  return hasErrors(refused) ? 1 : exitCode(document);
}

/** Writes results into the sheets that people keep elsewhere, for a job. Returns what could not be written. */
export async function writeSheetResults(run: ProjectRun): Promise<readonly Problem[]> {
  if (writableSheets(run.project.config).length === 0) return [];
  const flags = { ...run.flags, calendar: [], only: [], write: true, format: "text" as const };
  const found = await statusOf({ ...run, flags });
  return typeof found === "number"
    ? [problem("write/not-written", "The calendars have errors, so no result was written into the sheets.")]
    : found.refused;
}

interface FoundStatus {
  readonly document: StatusDocument;
  /** What could not be written. */
  readonly refused: readonly Problem[];
}

/** Returns the exit code if the calendars cannot be used. */
async function statusOf(run: ProjectRun<StatusFlags>): Promise<FoundStatus | ExitCode> {
  const { project, flags, shell } = run;
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
  const results = files && parts && (await writeAll(run, selection, files, rows, parts));
  const refused = results?.problems ?? [];
  const unplanned = countUnplanned(validated.skippedRows, selection.inScope);
  const more = { requests, written: results?.written };
  return { document: statusDocument(rows, unplanned, more, [...problems, ...refused]), refused };
}

/** Results go into the sheet itself, not into its copy: the copy is what was fetched. */
async function writeAll(
  run: ProjectRun,
  selection: Selection,
  files: readonly CalendarFile[],
  rows: readonly StatusRow[],
  parts: readonly ResultPart[],
): Promise<WrittenResults> {
  const copies = new Set(sheetCopies(run.project.config.calendars).map(({ file }) => file));
  const [own, others] = [true, false].map((isCopy) =>
    files.filter(({ calendar }) => selection.inScope(calendar.file) && copies.has(calendar.file) === isCopy),
  );
  const inFiles = parts.length === 0 ? undefined : await writeResults(run.project, others ?? [], rows, parts);
  const inSheets = await writeIntoSheets(run, own ?? [], rows);
  return {
    written: [...(inFiles?.written ?? []), ...inSheets.written],
    problems: [...(inFiles?.problems ?? []), ...inSheets.problems],
  };
}

function print(document: StatusDocument, timezone: string, { format }: Flags, console: Console): void {
  switch (format) {
    case "json":
      console.json(document);
      return;
    case "csv":
      console.result(statusCsv(document, timezone));
      return;
    case "csv-posts":
      console.result(postsCsv(document, timezone));
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
  if (config.results.length > 0 || writableSheets(config).length > 0) return config.results;
  throw new Failure(
    "usage/arguments",
    `${file} does not ask for results in the calendars, so nothing was written.`,
    "Add `results: [time, url, error]` to it. plancast then writes the columns result_time, result_url and result_error.",
  );
}

/**
 * Writes results into calendars of the project.
 * @param rows the statuses of the files' rows
 */
async function writeResults(
  project: Project,
  files: readonly CalendarFile[],
  rows: readonly StatusRow[],
  parts: readonly ResultPart[],
): Promise<WrittenResults> {
  const written: WrittenResults["written"][number][] = [];
  const problems: Problem[] = [];
  for (const file of files) {
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
