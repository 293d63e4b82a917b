/** `plancast convert`: reads a calendar and writes the same posts in another format, to stdout or to a file. */

import { posix } from "node:path";
import type { Argv } from "yargs";
import { convertCalendar } from "../calendars/convert.ts";
import { selectNamed, settingsFor } from "../calendars/select.ts";
import { type WriteFormatName, WRITE_FORMATS } from "../calendars/write/formats.ts";
import { validate } from "../checks/validate.ts";
import { Failure } from "../model/failure.ts";
import { type Problem, hasErrors } from "../model/problem.ts";
import { rowAt } from "../model/row.ts";
import { type Conversion, conversionDocument, conversionText } from "../report/outcomes/calendar-files.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { type FlagsOf, type ProjectRun, type Run, defineCommand } from "./common/command.ts";
import { type GlobalFlags, HELP_GROUPS, formatOption, outOption, switchOption } from "./common/flags.ts";
import { outputFormat, refuseLog, writeNewFile } from "./common/output-file.ts";
import { alertProblems, printFailedJson, showCalendarProblems } from "./common/report-problems.ts";
import { type NamedFile, namedFile, openProject } from "./common/project.ts";
import type { ExitCode, Shell } from "./common/shell.ts";

type Flags = GlobalFlags & ConvertFlags;

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("calendar", {
      type: "string",
      demandOption: true,
      describe: "Calendar to convert, in any format that plancast reads",
    })
    .option("to", {
      choices: ["csv", "yaml", "xlsx"] as const,
      requiresArg: true,
      describe: "Format to write (default: by the file name of --out)",
      valueName: "FORMAT",
      group: HELP_GROUPS.output,
    })
    .option("out", outOption("File to write. Without it, CSV and YAML go to stdout"))
    .option("force", { ...switchOption("Replace an existing file"), group: HELP_GROUPS.output })
    .option("format", formatOption("json"))
    .example("$0 convert calendars/march.csv --out calendars/march.xlsx", "Make a workbook from a CSV file")
    .example("$0 convert calendars/march.xlsx --to yaml", "Print a workbook as YAML");

type ConvertFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<ConvertFlags>({
  flags: defineFlags,
  run: async (run) => convertFile(await openProject(run)),
  printFailed: printFailedJson((problems) => conversionDocument(undefined, problems)),
});

async function convertFile(run: ProjectRun<ConvertFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const format = outputFormat(flags.to, flags.out);
  checkOutput(format, flags);
  if (flags.out === undefined) refuseLog(shell, `calendar.${WRITE_FORMATS[format].extensions[0]}`);
  const out = flags.out === undefined ? undefined : namedFile(project, flags.out, shell.cwd);
  const { calendars, problems: found } = await selectNamed(
    project,
    { calendars: [flags.calendar], only: undefined },
    shell.cwd,
  );
  const [calendar] = calendars;
  const problems = [...found, ...calendars.flatMap((each) => each.problems)];
  if (calendar === undefined || hasErrors(problems)) return refuse(run, problems, calendars);
  const file = out?.file ?? pathBeside(calendar, out?.name ?? nameIn(calendar, format));
  const { settings, isCalendar } = settingsFor(project, file);
  const converted = await convertCalendar(project, calendar, { file, settings, format });
  if ("problems" in converted) return refuse(run, [...problems, ...converted.problems], calendars);
  showCalendarProblems(problems, calendars, console);
  if (out === undefined) {
    if (typeof converted.contents === "string") console.result(shown(converted.contents, shell));
    return 0;
  }
  await writeNewFile({ ...out, project, contents: converted.contents, force: flags.force });
  const { rows } = converted;
  const obstacle = obstacleOf(project, calendar, out, isCalendar);
  const faulty = faultyRows(project, calendar);
  const conversion = { from: calendar.file, out: out.name, to: format, rows, faulty, obstacle };
  report(run, conversion, problems);
  return 0;
}

/** The exact bytes, except in a terminal, which text could control. */
function shown(contents: string, { stdout }: Shell): string {
  return stdout.isTerminal ? contents.split("\n").map(escapeTerminal).join("\n") : contents;
}

function report(
  { flags, console }: Run<ConvertFlags>,
  conversion: Conversion,
  problems: readonly Problem[],
): void {
  if (flags.format === "json") {
    console.json(conversionDocument(conversion, problems));
    return;
  }
  console.result(conversionText(conversion, console.style));
  // If something must be done first, the text says it.
  if (conversion.obstacle === undefined && conversion.faulty === 0)
    console.next("plancast plan shows that no post has changed.");
}

function refuse(
  { flags, console }: Run<ConvertFlags>,
  problems: readonly Problem[],
  calendars: readonly Calendar[],
): ExitCode {
  alertProblems(problems, calendars, console);
  if (flags.format === "json") console.json(conversionDocument(undefined, problems));
  return 1;
}

/** Throws a Failure if the calendar cannot go to stdout. */
function checkOutput(format: WriteFormatName, { out, format: report }: Flags): void {
  if (out !== undefined) return;
  if (!WRITE_FORMATS[format].isText) {
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
 * Output to stdout, or outside the project, is meant to replace the calendar, so it is read as if it were in the same
 * place.
 */
function pathBeside({ file }: Calendar, name: string): string {
  return posix.join(posix.dirname(file), posix.basename(name.replaceAll("\\", "/")));
}

function nameIn({ file }: Calendar, format: WriteFormatName): string {
  return `${posix.basename(file, posix.extname(file))}.${WRITE_FORMATS[format].extensions[0]}`;
}

function obstacleOf(
  project: Project,
  calendar: Calendar,
  out: NamedFile,
  isCalendar: boolean,
): Conversion["obstacle"] {
  if (out.file === undefined || out.file === calendar.file) return undefined;
  if (!isCalendar) return "no-calendar";
  return settingsFor(project, calendar.file).isCalendar ? "twice" : undefined;
}

/** Rows with errors, which stay as they are. */
function faultyRows({ config }: Project, calendar: Calendar): number {
  const errors = validate([calendar], config).problems.filter(({ severity }) => severity === "error");
  return new Set(errors.map(({ line }) => rowAt(calendar.rows, line ?? 0))).size;
}
