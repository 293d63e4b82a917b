/**
 * `plancast status`: shows the status of each row, from the lockfile, from records of earlier runs, and from the
 * service for the rest. With --write, it writes when and where posts were published, or why not, into the calendars
 * that ask for it.
 */

import type { Argv } from "yargs";
import { type Selection, selectCalendars } from "../../calendars/select.ts";
import { readSlotState } from "../../calendars/slot-state.ts";
import { type UnplannedRow, type Validated, countUnplanned, validate } from "../../checks/validate.ts";
import { LockHeld } from "../../disk/process-lock.ts";
import { Failure } from "../../model/failure.ts";
import { type Problem, hasErrors, rowName } from "../../model/problem.ts";
import type { Publication } from "../../model/publication.ts";
import { type StatusReport, statusCsv, statusDocument } from "../../report/status/status-data.ts";
import { noRecordText, statusMarkdown, statusText } from "../../report/status/status-text.ts";
import { readState } from "../../sync/state/project-state.ts";
import { currentPublications, openPublicationLog } from "../../tracking/publication-log.ts";
import { type Publications, isWorthRecording, publicationRecord } from "../../tracking/publications.ts";
import { type SkippedRow, type TrackedRow, rowStatus, trackedRows } from "../../tracking/row-statuses.ts";
import { readCalendarFiles } from "../project/calendar-files.ts";
import { type CheckedService, withService } from "../project/connect.ts";
import { openProject } from "../project/project.ts";
import { wantedResults, writeResults } from "./write-results.ts";
import { type FlagsOf, type ProjectRun, type Run, defineCommand } from "../shell/command.ts";
import type { Console } from "../shell/console.ts";
import {
  type GlobalFlags,
  ONLY_OPTION,
  calendarsPositional,
  formatOption,
  parseOnly,
  switchOption,
} from "../shell/flags.ts";
import { alertProblems, printProblemsJson } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";

type Flags = GlobalFlags & StatusFlags;

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("calendar", calendarsPositional("show"))
    .option("only", ONLY_OPTION)
    .option("write", switchOption("Write results into the calendars, as `results:` in plancast.yaml says"))
    .option("format", formatOption("json", "markdown", "csv"))
    .example("$0 status", "Show every applied row; exit with 1 if a post failed")
    .example("$0 status --only date=2027-03", "Show the rows of one month")
    .example("$0 status --format csv > report.csv", "Count posts by month, network and campaign");

type StatusFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<StatusFlags>({
  flags: defineFlags,
  run: async (run) => showStatus(await openProject(run)),
  printFailed: printProblemsJson,
  forAll: { single: ["calendar"] },
});

async function showStatus(run: ProjectRun<StatusFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const narrowing = { calendars: flags.calendar, only: parseOnly(flags.only) };
  const parts = flags.write ? wantedResults(project) : undefined;
  const selected = await selectCalendars(project, narrowing, shell.cwd);
  // The rows come from exactly the bytes that are edited.
  const files = parts && (await readCalendarFiles(project, selected.calendars, selected.only));
  const selection = files ? { ...selected, calendars: files.map(({ calendar }) => calendar) } : selected;
  // A name that is not a calendar would look like a calendar without posts.
  if (hasErrors(selection.problems)) return refuse(run, selection.problems);
  const { slots, series } = await readSlotState(project, selection.calendars, shell.clock.now());
  const validated = validate(selection.calendars, project.config, selection.only, slots, series);
  const problems = problemsIn(selection, validated);
  // A filter by an unknown column would show no row, either.
  const slips = problems.filter(({ code }) => code === "filter/unknown-column");
  if (slips.length > 0) return refuse(run, slips);
  const report = await withService(run, "read-only", async (opened) => {
    const { service } = opened;
    const { lockfile } = await readState(project, service.origin);
    const followed = followedIn(selection, validated, problems, { lockfile, supports: service.supports });
    const now = opened.clock.now();
    const publications = await publicationsOf(run, followed, opened, now);
    const rows = followed.map((each) => rowStatus(each, publications.get(each.row.postId ?? ""), now));
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const unplanned = countUnplanned(validated.skippedRows, selection.inScope);
    return { rows, ...unplanned, broken: errors, requests: opened.requests() };
  });
  const results = files && parts && (await writeResults(project, selection, files, report.rows, parts));
  const refused = results?.problems ?? [];
  const whole = { ...report, written: results?.written, notWritten: refused.length };
  print(whole, [...problems, ...refused], project.config.timezone ?? "UTC", flags, console);
  if (flags.format !== "json") alertProblems(refused, [], console);
  return refused.length > 0 ? 1 : exitCode(report);
}

async function refuse({ flags, console }: Run<StatusFlags>, problems: readonly Problem[]): Promise<ExitCode> {
  alertProblems(problems, [], console);
  await printProblemsJson(problems, flags.format, console);
  return 1;
}

/** Problems of the calendars: a row with an error is not a post. */
function problemsIn({ calendars, problems, inScope }: Selection, validated: Validated): readonly Problem[] {
  const all = [...problems, ...calendars.flatMap((each) => each.problems), ...validated.problems];
  return all.filter(({ file }) => file === undefined || inScope(file));
}

function followedIn(
  { inScope, only }: Selection,
  { posts, skippedRows, filteredRows }: Validated,
  problems: readonly Problem[],
  known: Pick<Parameters<typeof trackedRows>[0], "lockfile" | "supports">,
): readonly TrackedRow[] {
  const errors = problems.filter(({ severity }) => severity === "error");
  const broken = new Set(errors.map(({ file }) => file));
  return trackedRows({
    posts: posts.filter(({ source }) => inScope(source.file)),
    skippedRows: skippedRows.filter(({ file }) => inScope(file)).map(asideRow),
    ...known,
    // It is unknown whether a missing row would match a filter.
    isShown: (key, file) => only === undefined && inScope(file) && !filteredRows.has(key),
    isBroken: (file) => broken.has(file),
  });
}

function asideRow({ file, id, row, posts }: UnplannedRow): SkippedRow {
  const keys = id === undefined ? posts().map(({ key }) => key) : [id];
  return { file, sheet: row.sheet, line: row.line, place: rowName(row, row.at()), keys };
}

/**
 * By post id, at the service's clock (ms). It does not request recorded final statuses again, and records new final
 * statuses.
 */
async function publicationsOf(
  run: ProjectRun,
  followed: readonly TrackedRow[],
  { service, checkAccounts }: Pick<CheckedService, "service" | "checkAccounts">,
  now: number,
): Promise<ReadonlyMap<string, Publication>> {
  const posts = followed.flatMap(({ row: { postId: id, scheduledAt: dueAt } }) =>
    id === undefined ? [] : { id, dueAt },
  );
  const { publications, asked, recorded } = await currentPublications(run.project, posts, service, now);
  // With another customer's key, every post would be missing.
  if ([...asked.values()].some(({ state }) => state === "missing")) await checkAccounts();
  await record(run, asked, recorded, service.origin);
  return publications;
}

/** The records are only a cache: if they cannot be written, the status is still right. */
async function record(
  { project, shell, console }: ProjectRun,
  asked: ReadonlyMap<string, Publication>,
  outcomes: Publications,
  origin: string,
): Promise<void> {
  const records = [...asked].flatMap(([id, publication]) =>
    isWorthRecording(publication) && outcomes.isNews(id, publication)
      ? [publicationRecord(id, publication, origin, shell.clock.now())]
      : [],
  );
  if (records.length === 0) return;
  try {
    const log = await openPublicationLog(project, "outcomes");
    try {
      await Promise.all(records.map((each) => log.append(each)));
    } finally {
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LockHeld || error instanceof Failure)) throw error;
    console.note(noRecordText(error instanceof Failure ? error : "another-status", console.errorStyle));
  }
}

function print(
  report: StatusReport,
  problems: readonly Problem[],
  timezone: string,
  { format }: Flags,
  console: Console,
): void {
  switch (format) {
    case "json":
      console.json(statusDocument(report, problems));
      return;
    case "markdown":
      console.result(statusMarkdown(report, timezone));
      return;
    case "csv":
      console.result(statusCsv(report, timezone));
      return;
    case "text":
      console.result(statusText(report, timezone, console.style));
  }
}

/** Failed has priority over unknown, because it is certain. */
function exitCode({ rows }: StatusReport): ExitCode {
  if (rows.some(({ state }) => state === "failed")) return 1;
  return rows.some(({ state }) => state === "unknown") ? 3 : 0;
}
