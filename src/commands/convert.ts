/** `plancast convert`: reads a calendar and writes the same posts in another format, to stdout or to a file. */

import { posix, resolve } from "node:path";
import { convertCalendars, convertToPostFiles } from "../calendars/convert.ts";
import {
  type Selection,
  selectCalendars,
  selectNamed,
  settingsFor,
  severalEntries,
} from "../calendars/select.ts";
import {
  type WriteFormatName,
  FORMATS,
  WRITE_FORMAT_NAMES,
  writeFormatOf,
} from "../calendars/all-formats.ts";
import { validate } from "../checks/validate.ts";
import { statsOf } from "../disk/place.ts";
import { Failure } from "../model/failure.ts";
import { type Problem, hasErrors } from "../model/problem.ts";
import { RowIndex } from "../model/row.ts";
import type { ConvertDocument } from "../report/documents/calendars.ts";
import { type Obstacle, convertedText } from "../report/outcomes/calendar-files.ts";
import { problemDocument } from "../report/problems/problems-json.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import {
  type FlagsOf,
  type GlobalFlags,
  type ProjectRun,
  HELP_GROUPS,
  defineCommand,
  defineFlags,
  outOption,
  switchOption,
  FORMAT_OPTION,
} from "./shell/command.ts";
import { outputFormat, refuseExisting, refuseLog, writeNewFile } from "./project/written-files.ts";
import { refuseCalendars, showCalendarProblems } from "./shell/report-problems.ts";
import { showResult } from "./shell/result.ts";
import { type NamedFile, namedFile, openProject } from "./project/project.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

type Flags = GlobalFlags & ConvertFlags;

const FLAGS = defineFlags({
  calendar: {
    isPositional: true,
    type: "string",
    demandOption: true,
    describe: "Calendar to convert, or a folder with calendars, in any format that plancast reads",
  },
  to: {
    choices: WRITE_FORMAT_NAMES,
    requiresArg: true,
    describe: "Format to write (default: from the file name of --out); md is one Markdown file for each post",
    valueName: "FORMAT",
    group: HELP_GROUPS.output,
  },
  out: outOption("File to write; with --to md, a folder. Without it, CSV and YAML go to stdout"),
  force: { ...switchOption("Replace an existing file"), group: HELP_GROUPS.output },
  format: FORMAT_OPTION,
});

type ConvertFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["convert calendars/march.csv --out calendars/march.xlsx", "Make a workbook from a CSV file"],
    ["convert calendars/march.xlsx --to yaml", "Print a workbook as YAML"],
    ["convert calendars/march.csv --to md --out calendars/march", "Write one Markdown file for each row"],
  ],
  run: async (run) => convertFile(await openProject(run)),
});

async function convertFile(run: ProjectRun<ConvertFlags>): Promise<ExitCode> {
  const { project, flags, shell } = run;
  const format = formatOf(flags);
  checkOutput(format, flags);
  const isToFolder = flags.out !== undefined && writeFormatOf(flags.out) === undefined;
  if (flags.out === undefined) refuseLog(shell, `calendar.${FORMATS[format].extensions[0]}`);
  const out = flags.out === undefined ? undefined : namedFile(project, flags.out, shell.cwd);
  const { calendars, problems: found } = await selectSources(project, flags.calendar, shell.cwd);
  const repeated = calendars.find(
    ({ file }, index) => calendars.findIndex((each) => each.file === file) < index,
  );
  if (repeated !== undefined) throw severalEntries(repeated, "convert");
  const problems = [...found, ...calendars.flatMap((each) => each.problems)];
  if (calendars.length === 0 || hasErrors(problems)) return refuseCalendars(problems, calendars, run);
  const converting = { ...run, calendars, format, problems };
  return isToFolder && out !== undefined ? toFolder(converting, out) : toFile(converting, out);
}

/** The format to write. A name without a known extension is the name of a folder. */
function formatOf({ to, out }: Flags): WriteFormatName {
  const isFolder =
    to !== undefined && FORMATS[to].isOnePost && out !== undefined && writeFormatOf(out) === undefined;
  return isFolder ? to : outputFormat(to, out);
}

/** The named calendar, or all calendars in the named folder. */
async function selectSources(
  project: Project,
  name: string,
  cwd: string,
): Promise<Pick<Selection, "calendars" | "problems">> {
  const named = { calendars: [name], only: undefined };
  const isFolder = (await statsOf(resolve(cwd, name)).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return selectNamed(project, named, cwd);
  const { calendars, problems, inScope } = await selectCalendars(project, named, cwd);
  return { calendars: calendars.filter(({ file }) => inScope(file)), problems };
}

/** Readable calendars, the format to write, and what to report besides. */
interface Converting extends ProjectRun<ConvertFlags> {
  readonly calendars: readonly Calendar[];
  readonly format: WriteFormatName;
  readonly problems: readonly Problem[];
}

async function toFile(converting: Converting, out: NamedFile | undefined): Promise<ExitCode> {
  const { project, flags, shell, console, calendars, format, problems } = converting;
  const rows = calendars.reduce((sum, calendar) => sum + calendar.rows.length, 0);
  if (FORMATS[format].isOnePost && rows !== 1) throw severalPosts(rows);
  const [first] = calendars;
  if (first === undefined) return refuseCalendars(problems, calendars, converting);
  const file = out?.file ?? pathBeside(first, out?.name ?? nameIn(first, format));
  const { settings, isCalendar } = settingsFor(project, file);
  const converted = await convertCalendars(project, calendars, { file, settings, format });
  if ("problems" in converted)
    return refuseCalendars([...problems, ...converted.problems], calendars, converting);
  const all = [...problems, ...converted.warnings];
  showCalendarProblems(all, calendars, console);
  if (out === undefined) {
    if (typeof converted.contents === "string") console.result(shown(converted.contents, shell));
    return 0;
  }
  await writeNewFile({ ...out, project, contents: converted.contents, force: flags.force });
  const written = { out, rows: converted.rows, files: undefined, isCalendar };
  return reportWritten({ ...converting, problems: all }, written);
}

async function toFolder(converting: Converting, out: NamedFile): Promise<ExitCode> {
  const { project, flags, console, calendars, format, problems } = converting;
  const folder = out.file ?? posix.dirname(calendars[0]?.file ?? "");
  const settingsOf = (file: string): CalendarSettings => settingsFor(project, file).settings;
  const converted = await convertToPostFiles(project, calendars, { folder, format, settingsOf });
  if ("problems" in converted)
    return refuseCalendars([...problems, ...converted.problems], calendars, converting);
  const all = [...problems, ...converted.warnings];
  showCalendarProblems(all, calendars, console);
  const files = converted.files.map(({ file, contents }) => {
    const name = posix.basename(file);
    return { ...namedFile(project, name, out.path), contents };
  });
  if (!flags.force) for (const each of files) await refuseExisting(each, project);
  for (const { path, name, contents } of files)
    await writeNewFile({ path, name, contents, project, force: flags.force });
  const isCalendar = files.every(({ file }) => file !== undefined && settingsFor(project, file).isCalendar);
  return reportWritten(
    { ...converting, problems: all },
    {
      out,
      rows: files.length,
      files: files.map(({ name }) => name),
      isCalendar,
    },
  );
}

function severalPosts(rows: number): Failure {
  return new Failure(
    "usage/arguments",
    `A Markdown file holds one post, but the calendar has ${rows === 0 ? "none" : rows}.`,
    "Name a folder with --out, such as --out calendars/posts: plancast writes a file for each row.",
  );
}

interface Written {
  readonly out: NamedFile;
  readonly rows: number;
  /** Undefined for one file, `out`. */
  readonly files: readonly string[] | undefined;
  readonly isCalendar: boolean;
}

function reportWritten(converting: Converting, { out, rows, files, isCalendar }: Written): ExitCode {
  const { project, calendars, format, problems } = converting;
  const faulty = calendars.reduce((sum, calendar) => sum + faultyRows(project, calendar), 0);
  const document: ConvertDocument = {
    version: 1,
    from: calendars.length === 1 ? (calendars[0]?.file ?? "") : converting.flags.calendar,
    out: out.name,
    to: format,
    rows,
    files,
    faulty,
    problems: problems.map(problemDocument),
  };
  const obstacle = obstacleOf(project, calendars, out, isCalendar);
  showResult(converting, {
    document,
    text: () => convertedText(document, obstacle, converting.console.style),
    // If something must be done first, the text says it.
    next:
      obstacle === undefined && faulty === 0 ? "plancast plan shows that no post has changed." : undefined,
  });
  return 0;
}

/** The exact bytes, except in a terminal, which text could control. */
function shown(contents: string, { stdout }: Shell): string {
  return stdout.isTerminal ? contents.split("\n").map(escapeTerminal).join("\n") : contents;
}

/** Throws a Failure if the calendar cannot go to stdout. */
function checkOutput(format: WriteFormatName, { out, format: report }: Flags): void {
  if (out !== undefined) return;
  if (FORMATS[format].holds === "bytes") {
    throw new Failure(
      "usage/arguments",
      "plancast cannot print a workbook.",
      "Name a file with --out, such as calendar.xlsx.",
    );
  }
  if (report === "json") {
    throw new Failure(
      "usage/arguments",
      "The calendar and the report cannot both go to stdout.",
      "Name a file for the calendar with --out.",
    );
  }
}

/**
 * Output to stdout or outside the project replaces the calendar, so plancast reads it as if it were in the same
 * place.
 */
function pathBeside({ file }: Calendar, name: string): string {
  return posix.join(posix.dirname(file), posix.basename(name.replaceAll("\\", "/")));
}

function nameIn({ file }: Calendar, format: WriteFormatName): string {
  return `${posix.basename(file, posix.extname(file))}.${FORMATS[format].extensions[0]}`;
}

function obstacleOf(
  project: Project,
  calendars: readonly Calendar[],
  out: NamedFile,
  isCalendar: boolean,
): Obstacle {
  if (out.file === undefined || calendars.every(({ file }) => file === out.file)) return undefined;
  if (!isCalendar) return "no-calendar";
  return calendars.some(({ file }) => settingsFor(project, file).isCalendar) ? "twice" : undefined;
}

/** Rows with errors, which stay as they are. */
function faultyRows({ config }: Project, calendar: Calendar): number {
  const errors = validate([calendar], config).problems.filter(({ severity }) => severity === "error");
  const index = new RowIndex([calendar]);
  return new Set(errors.map((each) => index.at(each))).size;
}
