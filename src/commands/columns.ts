/**
 * `plancast columns`: shows how plancast reads each column of a calendar. With --write, it saves that in plancast.yaml.
 */

import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { configSchema } from "../calendars/check-project.ts";
import { type StatusAnswers, addColumnSettings } from "../calendars/edit/project-settings.ts";
import { readingsOf } from "../calendars/find.ts";
import { readProject } from "../calendars/project.ts";
import {
  type ColumnsContext,
  areUnderstood,
  calendarsOf,
  foundSettings,
  isEmptySettings,
  understandColumns,
} from "../calendars/understand-columns.ts";
import { shellArgument } from "../model/text.ts";
import type { CalendarColumns, ProjectFileEdit } from "../model/columns.ts";
import { Failure } from "../model/failure.ts";
import type { Status } from "../model/fields.ts";
import { columnsDocument, columnsMarkdown, columnsText } from "../report/columns/columns-output.ts";
import { askedQuestion } from "../report/init/questions.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import type { Project } from "../settings/config.ts";
import { askAtTerminal } from "./shell/ask.ts";
import {
  type FlagsOf,
  type GlobalFlags,
  type Run,
  defineCommand,
  defineFlags,
  formatOption,
  switchOption,
} from "./shell/command.ts";
import type { Console } from "./shell/console.ts";
import { printFailedJson } from "./shell/report-problems.ts";
import { findProject, loadProject, namedFile, openProjectFile } from "./project/project.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

type Flags = GlobalFlags & ColumnsFlags;

const FLAGS = defineFlags({
  calendar: {
    isPositional: true,
    type: "string",
    array: true,
    demandOption: true,
    describe: "Calendars to read. They can be outside a project",
  },
  write: switchOption("Save the columns in plancast.yaml"),
  format: formatOption("json", "markdown"),
});

type ColumnsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["columns calendars/march.csv", "Show the field of each column, and why"],
    ["columns calendars/march.csv --write", "Save this in plancast.yaml"],
  ],
  run: showColumns,
  printFailed: printFailedJson((problems) => columnsDocument([], undefined, problems)),
});

async function showColumns(run: Run<ColumnsFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const project = flags.write ? await loadProject(flags, shell) : await projectIfAny(flags, shell);
  const calendars = await readAll(project, flags, shell);
  const isSound = calendars.every(areUnderstood);
  const edit =
    project !== undefined && flags.write && isSound ? await write(project, calendars, run) : undefined;
  for (const each of calendars) {
    const text = problemsText(each.problems, (_file, line) => each.sourceLine(line), console.errorStyle);
    if (text !== "") console.alert(`${text}\n`);
  }
  await print(calendars, edit, flags, console);
  if (project !== undefined && !flags.write && isSound) await offer(project, calendars, console);
  return isSound ? 0 : 1;
}

/** This works for calendars without a project. */
async function projectIfAny(flags: Flags, shell: Shell): Promise<Project | undefined> {
  const path = await findProject(flags, shell);
  return path === undefined ? undefined : readProject(path);
}

async function readAll(
  project: Project | undefined,
  { calendar: names, write: isWriting }: Flags,
  { cwd }: Shell,
): Promise<CalendarColumns[]> {
  const found = project === undefined ? NONE : await calendarsOf(project);
  const all: CalendarColumns[] = [];
  for (const name of new Set(names)) {
    const file = project === undefined ? undefined : namedFile(project, name, cwd).file;
    if (isWriting && file === undefined) throw outside(name);
    const [place, inPlace, entries] =
      project !== undefined && file !== undefined ? [project, file, found] : [...alone(name, cwd), NONE];
    // One after the other: a calendar may be large, and there are few.
    const readings = readingsOf(entries.entriesOf(inPlace));
    if (isWriting && readings.length > 1) throw severalEntries(name);
    for (const reading of readings)
      all.push(await understandColumns(place, inPlace, { ...entries, entriesOf: () => reading }));
  }
  return all;
}

const NONE = { files: [], entriesOf: () => [] };

/** A file without settings of a project. */
function alone(name: string, cwd: string): [ColumnsContext, string] {
  const path = resolve(cwd, name);
  const file = relative(cwd, path);
  const root = isAbsolute(file) ? dirname(path) : cwd;
  return [{ root, config: configSchema.parse({}) }, relative(root, path).split(sep).join("/")];
}

function severalEntries(name: string): Failure {
  return new Failure(
    "usage/arguments",
    `Several entries under \`calendars:\` read sheets of ${name}, so nothing was written.`,
    "Leave out --write, and add the columns to each entry by hand.",
  );
}

function outside(name: string): Failure {
  return new Failure(
    "calendar/not-in-project",
    `${name} is outside the project, so nothing was written.`,
    "Copy the calendar into the project, or leave out --write.",
  );
}

async function write(
  project: Project,
  calendars: readonly CalendarColumns[],
  run: Run<ColumnsFlags>,
): Promise<ProjectFileEdit> {
  const file = await openProjectFile(project);
  const answers = await askForStatuses(calendars, run);
  const edit = await addColumnSettings(project, file.text, calendars, answers);
  if (edit.after !== edit.before) await file.write(edit.after);
  return edit;
}

/** What the words of the status column mean that only the team knows, by calendar. Asks only at a terminal. */
async function askForStatuses(
  calendars: readonly CalendarColumns[],
  { flags, shell, console }: Run<ColumnsFlags>,
): Promise<StatusAnswers> {
  const answers = new Map<string, Readonly<Record<string, Status>>>();
  if (!shell.isInteractive || flags.format === "json") return answers;
  const ask = askAtTerminal(shell, console);
  for (const { file, statuses } of calendars) {
    const open = statuses.filter(({ meaning }) => meaning === "unknown");
    for (const { text: word, rows } of open) {
      const answer = await ask(askedQuestion({ topic: "status", word, rows }));
      answers.set(file, { ...answers.get(file), ...answer?.status_values });
    }
  }
  return answers;
}

/** Suggests to save what was found. */
async function offer(
  project: Project,
  calendars: readonly CalendarColumns[],
  console: Console,
): Promise<void> {
  const { files } = await calendarsOf(project);
  const more = calendars.filter((each) => files.includes(each.file) && !isEmptySettings(foundSettings(each)));
  if (more.length === 0) return;
  const names = more.map((each) => escapeTerminal(shellArgument(each.file))).join(" ");
  console.note(`plancast columns --write ${names} saves this in ${escapeTerminal(project.file)}.\n`);
}

async function print(
  calendars: readonly CalendarColumns[],
  edit: ProjectFileEdit | undefined,
  { format, write: isWriting }: Flags,
  console: Console,
): Promise<void> {
  if (format === "json") {
    console.json(columnsDocument(calendars, edit, []));
    return;
  }
  if (format === "markdown") {
    console.result(columnsMarkdown(calendars, edit));
  } else {
    console.result(columnsText(calendars, edit, console.style));
  }
  if (isWriting && edit === undefined) {
    console.alert("Nothing was written. Fix the problems above first.\n");
  }
}
