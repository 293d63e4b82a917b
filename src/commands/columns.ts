/**
 * `plancast columns`: shows how plancast reads each column of a calendar. With --ask, it asks what plancast does not know, and
 * writes the answers into plancast.yaml.
 */

import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { configSchema } from "../calendars/check-project.ts";
import { withSettings } from "../calendars/edit/project-settings.ts";
import { readingsOf } from "../calendars/find.ts";
import { proposalSource } from "../calendars/proposal/settle.ts";
import { readProject } from "../calendars/project.ts";
import {
  type ColumnsContext,
  areUnderstood,
  calendarsOf,
  understandColumns,
} from "../calendars/understand-columns.ts";
import type { CalendarColumns } from "../model/column-account.ts";
import { Failure } from "../model/failure.ts";
import { columnsDocument, columnsText, editLines } from "../report/columns/columns-output.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import { terminalText } from "../report/text/escape.ts";
import type { Project } from "../settings/config.ts";
import { ANSWER_FLAGS, answerProposal } from "./project/answer-proposal.ts";
import {
  type FlagsOf,
  type GlobalFlags,
  type Run,
  FORMAT_OPTION,
  defineCommand,
  defineFlags,
  namesPositional,
  switchOption,
} from "./shell/command.ts";
import type { Console } from "./shell/console.ts";
import { findProject, loadProject, namedFile, openProjectFile } from "./project/project.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

type Flags = GlobalFlags & ColumnsFlags;

const FLAGS = defineFlags({
  calendar: namesPositional("Calendars to read (default: all). They can be outside a project"),
  ask: switchOption("Ask what plancast does not know, and write plancast.yaml"),
  ...ANSWER_FLAGS,
  format: FORMAT_OPTION,
});

type ColumnsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["columns calendars/march.csv", "Show the field of each column, and why"],
    ["columns --ask", "Answer what is unclear in the project's calendars"],
  ],
  run: runColumns,
});

async function runColumns(run: Run<ColumnsFlags>): Promise<ExitCode> {
  const { ask, propose, answers } = run.flags;
  return ask || propose || answers !== undefined ? answerColumns(run) : showColumns(run);
}

/** Asks about all calendars of the project, and writes the answers. */
async function answerColumns(run: Run<ColumnsFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const project = await loadProject(flags, shell);
  const { file } = project;
  const text = await openProjectFile(project);
  const answered = await answerProposal(proposalSource(project, text.text), run);
  if (answered === "printed") return 0;
  const edit = { file, before: text.text, after: withSettings(project, text.text, answered.settings) };
  if (edit.after !== edit.before) await text.write(edit.after);
  console.result(terminalText(editLines(edit, console.style)));
  console.next("plancast plan shows what changes.");
  return 0;
}

async function showColumns(run: Run<ColumnsFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const project = await projectIfAny(flags, shell);
  const calendars = await readAll(project, flags, shell);
  const isSound = calendars.every(areUnderstood);
  for (const each of calendars) {
    const text = problemsText(each.problems, (_file, line) => each.sourceLine(line), console.errorStyle);
    if (text !== "") console.alert(`${text}\n`);
  }
  print(calendars, flags, console);
  return isSound ? 0 : 1;
}

/** This works for calendars without a project. */
async function projectIfAny(flags: Flags, shell: Shell): Promise<Project | undefined> {
  const path = await findProject(flags, shell);
  return path === undefined ? undefined : readProject(path);
}

async function readAll(
  project: Project | undefined,
  { calendar: named }: Flags,
  { cwd }: Shell,
): Promise<CalendarColumns[]> {
  const found = project === undefined ? NONE : await calendarsOf(project);
  if (project === undefined && named.length === 0)
    throw new Failure(
      "project/not-found",
      "There is no plancast.yaml here.",
      "Name a calendar: plancast columns FILE.",
    );
  const all: CalendarColumns[] = [];
  for (const name of new Set(
    named.length === 0 ? found.files.map((each) => resolve(project?.root ?? cwd, each)) : named,
  )) {
    const file = project === undefined ? undefined : namedFile(project, name, cwd).file;
    const [place, inPlace, entries] =
      project !== undefined && file !== undefined ? [project, file, found] : [...alone(name, cwd), NONE];
    // One after the other: a calendar may be large, and there are few.
    const readings = readingsOf(entries.entriesOf(inPlace));
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

function print(calendars: readonly CalendarColumns[], { format }: Flags, console: Console): void {
  if (format === "json") console.json(columnsDocument(calendars));
  else console.result(columnsText(calendars, console.style));
}
