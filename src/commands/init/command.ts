/**
 * `plancast init`: writes a project that works at once, without replacing any file. With a calendar, it finds out how
 * to read it, and asks what only the team can know.
 */

import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { CheckedCalendars } from "../../calendars/check.ts";
import { countRows, isOfRow } from "../../calendars/row-groups.ts";
import { readProject, PROJECT_FILE } from "../../calendars/project.ts";
import { readFormatOf } from "../../calendars/read-calendar.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import { makeFolder, statsAt } from "../../disk/files.ts";
import { isWithin, placeInProject, placeTyped, statsOf } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { didYouMean } from "../../model/text.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import {
  BEFORE_CARRY_LINE,
  afterErrorsText,
  firstPostsLines,
  guessedEncodingText,
  headerZoneText,
  machineZoneText,
} from "../../report/init/notes.ts";
import { countsText } from "../../report/problems/problems-text.ts";
import { terminalText } from "../../report/text/escape.ts";
import { checkOffline } from "../project/media.ts";
import { type Ask, askAtTerminal, askIfRight, askZone } from "../shell/ask.ts";
import {
  type FlagsOf,
  type Run,
  YES_OPTION,
  defineCommand,
  defineFlags,
  namePositional,
  switchOption,
  textOption,
} from "../shell/command.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type CalendarReading, withAllProblems } from "./calendar-reading.ts";
import { understandCalendar } from "./from-calendar.ts";
import { furtherProject } from "./several-projects.ts";
import { nameIn, note, showNextSteps, writeNewFiles, writeProject } from "./write-project.ts";

const FLAGS = defineFlags({
  path: namePositional("A calendar that you already have, or a folder for the project"),
  timezone: textOption("Time zone of the team, such as Europe/Paris (default: this machine's)", "ZONE"),
  template: {
    choices: ["csv", "xlsx"],
    default: "csv",
    requiresArg: true,
    describe: "Format of the sample calendar",
  },
  sample: {
    type: "boolean",
    default: true,
    describe: "Write a sample calendar; --no-sample for none",
  },
  publish: switchOption("Publish on your own accounts from GitHub, without a service"),
  yes: {
    ...YES_OPTION,
    alias: "y",
    describe: "Ask no questions: write what is certain, and list the rest",
  },
});

type InitFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["init", "Write plancast.yaml, a sample calendar and a workflow"],
    ["init content-plan.xlsx", "Start with your own calendar"],
    ["init --publish", "Publish from GitHub, without a service"],
  ],
  run: init,
});

async function init(run: Run<InitFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  const named = flags.path === undefined ? undefined : resolve(shell.cwd, flags.path);
  if (named !== undefined && (await isCalendar(named))) return startWithCalendar(named, run);
  const root = named ?? shell.cwd;
  if (named !== undefined) await makeFolder((await placeTyped(named, shell.cwd)).place);
  const further = await furtherProject(root, flags.timezone === undefined);
  const zone = checkedZone(flags.timezone ?? further?.shared?.timezone ?? machineZone());
  // The sample's rows are for networks on which plancast does not publish itself.
  const calendar = flags.sample && !flags.publish ? "sample" : "none";
  await writeProject({ root, timezone: zone, calendar, further }, run);
  if (flags.timezone === undefined && further?.sharesTimezone !== true) noteMachineZone(zone, run);
  await showNextSteps({ root, further }, run, true);
  return 0;
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function noteMachineZone(zone: string, run: Run<InitFlags>): void {
  note(machineZoneText(zone, (run.shell.env["TZ"] ?? "") !== ""), run);
}

/** Throws a Failure for a zone that nobody knows. */
function checkedZone(zone: string): string {
  if (findZone(zone) !== undefined) return zone;
  throw new Failure(
    "schedule/unknown-timezone",
    `"${zone}" is not a time zone.${didYouMean(suggestZone(zone))}`,
    "Use a name such as Europe/Paris with --timezone.",
  );
}

/** An existing file, or a name with a calendar's extension. Anything else is a folder. */
async function isCalendar(path: string): Promise<boolean> {
  const found = await statsOf(path);
  if (found !== undefined) return !found.isDirectory();
  return readFormatOf(path) !== undefined;
}

/** Starts a project with a calendar that the team already has. Exits with 1 if it cannot be planned yet. */
async function startWithCalendar(path: string, run: Run<InitFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const root = shell.cwd;
  await rejectProject(root);
  const isAsking = shell.isInteractive && !flags.yes;
  const copy = isWithin(root, path) ? undefined : await readForeign(path);
  const file = copy === undefined ? nameIn(root, path) : `calendars/${basename(path)}`;
  const read = (timezone: string, ask?: Ask): Promise<CalendarReading> =>
    copy === undefined
      ? understandCalendar(root, file, { timezone }, ask)
      : understandCalendar(dirname(path), basename(path), { timezone }, ask);
  const guess = checkedZone(flags.timezone ?? machineZone());
  const first = await read(guess);
  if (isHopeless(first)) return refuse(first, run);
  const header = flags.timezone === undefined ? first.calendar.table?.zone : undefined;
  const reading = isAsking
    ? await askedReading(first, guess, read, copy === undefined ? root : undefined, run)
    : withGuessedEncoding(header === undefined ? first : await read(header.name), run);
  if (reading === undefined) return 1;
  const { timezone = guess, ...settings } = reading.settings;
  if (copy !== undefined) {
    await writeNewFiles(root, [{ path: file, contents: copy, extendsExisting: false }]);
    console.note(`copied the calendar to ${file}\n`);
  }
  const further = await furtherProject(root, false);
  const repeats = reading.calendar.rows.some(({ cells }) => cells.repeat !== undefined);
  await writeProject({ root, timezone, calendar: { file, settings, repeats }, further }, run);
  if (header !== undefined && !isAsking) note(headerZoneText(header), run);
  else if (flags.timezone === undefined && !isAsking) noteMachineZone(timezone, run);
  if (!isAsking) showPosts(reading, run);
  const { checked, summary } = await checkWritten(root, shell);
  if (!isAsking || !areKnown(checked.problems, reading.problems, file))
    showCalendarProblems(checked.problems, checked.calendars, console);
  console.note(summary);
  if (hasErrors(checked.problems)) {
    if (!isAsking) await showCarryLine((ask) => read(timezone, ask), run);
    note(afterErrorsText(checked.problems.every((each) => each.severity !== "error" || isOfRow(each))), run);
    return 1;
  }
  await showNextSteps({ root, further }, run, false);
  return 0;
}

/** Whether neither an answer nor a setting can help: the file has no row that plancast can read. */
function isHopeless({ problems, calendar: { rows, faultyRows = [] } }: CalendarReading): boolean {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.some(({ code }) => UNREADABLE.includes(code))) return true;
  if (errors.some(({ code }) => code === "csv/weekly-grid")) return true;
  const canHelp = errors.some(({ questions = [] }) => questions.length > 0) || errors.every(isOfRow);
  return errors.length > 0 && rows.length + faultyRows.length === 0 && !canHelp;
}

/** Writes nothing. */
function refuse({ problems, calendar }: CalendarReading, { console }: Run<InitFlags>): ExitCode {
  showCalendarProblems(problems, [calendar], console);
  console.alert("Nothing was written.\n");
  return 1;
}

/** No settings help with a file that cannot be read at all. */
const UNREADABLE: readonly ProblemCode[] = [
  "calendar/unreadable",
  "calendar/unknown-format",
  "calendar/linked",
  "calendar/too-large",
];

function isGuessedEncoding({ code }: Problem): boolean {
  return code === "calendar/guessed-encoding";
}

/** Keeps the encoding that plancast found, so that later commands do not mention it. Says so. */
function withGuessedEncoding(reading: CalendarReading, run: Run<InitFlags>): CalendarReading {
  const example = reading.problems
    .filter(isGuessedEncoding)
    .flatMap(({ questions = [] }) => questions)
    .find(({ topic }) => topic === "encoding");
  if (example?.topic !== "encoding" || example.sample === undefined) return reading;
  note(guessedEncodingText(example.sample), run);
  return {
    ...reading,
    settings: { ...reading.settings, encoding: "windows-1252" },
    problems: reading.problems.filter((each) => !isGuessedEncoding(each)),
  };
}

/** What `validate` finds in the new project, with its last lines. */
async function checkWritten(
  root: string,
  { clock }: Shell,
): Promise<{ readonly checked: CheckedCalendars; readonly summary: string }> {
  const project = await readProject(join(root, PROJECT_FILE));
  const selection = await selectCalendars(project, { calendars: [], only: undefined }, root);
  const checked = await checkOffline(project, selection, { now: clock, real: clock });
  return { checked, summary: `${countsText(countRows(checked))}.\n` };
}

/** Whether all of these were shown before. @param file the calendar in the project */
function areKnown(problems: readonly Problem[], shown: readonly Problem[], file: string): boolean {
  const markOf = (each: Problem): string =>
    JSON.stringify([each.code, file, each.line, each.column, each.message]);
  const known = new Set(shown.map(markOf));
  return problems.every((each) => known.has(markOf(each)));
}

/** The line to paste for blank cells that may mean "as above", because nobody was asked. */
async function showCarryLine(
  read: (ask: Ask) => Promise<CalendarReading>,
  run: Run<InitFlags>,
): Promise<void> {
  const carried: string[] = [];
  // A yes to one field can lead to a question about the next one.
  await read(async ({ text, answers }) => {
    const yes = answers.find(({ settings }) => settings.carry !== undefined)?.settings;
    if (yes?.carry === undefined) return undefined;
    carried.push(...yes.carry);
    note(text, run);
    return yes;
  });
  if (carried.length === 0) return;
  note(BEFORE_CARRY_LINE, run);
  // Never wrapped or indented, because people copy it.
  run.console.note(`carry: [${carried.join(", ")}]\n`);
}

/**
 * Asks until the person agrees with the posts. A header may name the likely time zone. Undefined if the answers did not
 * help to read any row.
 * @param folder of the project; undefined for a calendar from elsewhere, whose pictures are not next to it yet
 */
async function askedReading(
  first: CalendarReading,
  guess: string,
  read: (timezone: string, ask: Ask) => Promise<CalendarReading>,
  folder: string | undefined,
  run: Run<InitFlags>,
): Promise<CalendarReading | undefined> {
  const { flags, shell, console } = run;
  const zones = first.problems
    .flatMap(({ questions = [] }) => questions)
    .flatMap((each) => (each.topic === "zone" ? each.zones : []));
  for (;;) {
    const zone = flags.timezone ?? (await askZone(zones[0] ?? guess, shell));
    const answered = await read(zone, askAtTerminal(shell, console));
    const reading = folder === undefined ? answered : await withAllProblems(answered, folder, shell.clock);
    const { rows, faultyRows = [] } = reading.calendar;
    if (hasErrors(reading.problems) && rows.length + faultyRows.length === 0) {
      refuse(reading, run);
      return undefined;
    }
    shell.stderr.write("\n");
    showCalendarProblems(reading.problems, [reading.calendar], console);
    showPosts(reading, run);
    if (await askIfRight(shell, console)) return reading;
  }
}

function showPosts(
  { calendar, problems, posts, leftOut, settings }: CalendarReading,
  { console }: Run<InitFlags>,
): void {
  if (posts.length === 0 && hasErrors(problems)) return;
  const timezone = calendar.table?.zone?.name ?? settings.timezone ?? "UTC";
  console.result(terminalText(firstPostsLines({ posts, leftOut }, timezone, console.style)));
}

/** Stops before the first question. */
async function rejectProject(root: string): Promise<void> {
  const place = await placeInProject(root, PROJECT_FILE);
  if ((await statsAt(place)) === undefined) return;
  throw new Failure(
    "project/exists",
    "plancast.yaml already exists, and init does not overwrite files.",
    "To change one answer, edit plancast.yaml, or run plancast columns FILE --write. To start over, delete plancast.yaml and run init again.",
  );
}

/** A calendar outside of the project: it is copied. */
async function readForeign(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Failure(
      "calendar/unreadable",
      `${path} cannot be read: ${reasonOf(error)}`,
      "Check the name, and put a name with blanks in quotes.",
    );
  }
}
