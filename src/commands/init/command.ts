/**
 * `plancast init`: writes a project that works at once, without replacing any file. With a calendar, it finds out how
 * to read it, and asks what only the team can know.
 */

import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Argv } from "yargs";
import type { CheckedCalendars } from "../../calendars/check.ts";
import { countRows, isOfRow } from "../../calendars/count-rows.ts";
import { readProject } from "../../calendars/project.ts";
import { readFormatOf } from "../../calendars/read-calendar.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { createWhole, folderOf, makeFolder, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { findBranch, hasGithubRemote } from "../../disk/git.ts";
import { type Place, isWithin, placeInProject, placeTyped, statsOf } from "../../disk/place.ts";
import { shellArgument, didYouMean } from "../../model/text.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import { firstPostsLines } from "../../report/first-posts.ts";
import { guessedEncodingText } from "../../report/init-text.ts";
import { countsText } from "../../report/problems/counts-text.ts";
import { sharedWorkflowText } from "../../report/shared-workflow-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import { VERSION } from "../../version.ts";
import { type FlagsOf, type Run, defineCommand } from "../shell/command.ts";
import { type GlobalFlags, YES_OPTION, namePositional, switchOption, textOption } from "../shell/flags.ts";
import { checkOffline } from "../project/check-offline.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type Ask, askAtTerminal, askIfRight, askZone } from "../shell/ask.ts";
import {
  type FileToWrite,
  type FurtherProject,
  type InitOptions,
  MERGE_DRIVER,
  filesToWrite,
  nextSteps,
} from "./files.ts";
import { type CalendarReading, understandCalendar, withAllProblems } from "./from-calendar.ts";
import { furtherProject } from "./further-project.ts";
import { updateSharedWorkflow } from "./shared-workflow.ts";
import { publishedBranch, readSecret } from "./workflows.ts";

const PROJECT_FILE = "plancast.yaml";

/** The repository whose action.yml is the GitHub Action. */
const ACTION = "plancast/plancast";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("path", namePositional("A calendar that you already have, or a folder for the project"))
    .option(
      "timezone",
      textOption("Time zone of the team, such as Europe/Paris (default: this machine's)", "ZONE"),
    )
    .option("template", {
      choices: ["csv", "xlsx"] as const,
      default: "csv" as const,
      requiresArg: true,
      describe: "Format of the sample calendar",
    })
    .option("sample", {
      type: "boolean",
      default: true,
      describe: "Write a sample calendar; --no-sample for none",
    })
    .option(
      "publish",
      switchOption("Publish on your own accounts: a GitHub workflow posts what the repository says"),
    )
    .option("yes", {
      ...YES_OPTION,
      alias: "y",
      describe: "Ask nothing: write what is certain, and list the rest",
    })
    .example("$0 init", "Write plancast.yaml, a sample calendar and a workflow")
    .example("$0 init content-plan.xlsx", "Start with your own calendar")
    .example("$0 init --publish", "Publish without a service, with a workflow of GitHub");

type InitFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<InitFlags>({
  flags: defineFlags,
  run: init,
});

async function init(run: Run<InitFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  const named = flags.path === undefined ? undefined : resolve(shell.cwd, flags.path);
  if (named !== undefined && (await isCalendar(named))) return fromCalendar(named, run);
  const root = named ?? shell.cwd;
  if (named !== undefined) await makeFolder((await placeTyped(named, shell.cwd)).place);
  const further = await furtherProject(root, flags.timezone === undefined);
  const zone = checkedZone(flags.timezone ?? further?.shared?.timezone ?? machineZone());
  // The sample's rows are for networks on which plancast does not publish itself.
  const calendar = flags.sample && !flags.publish ? "sample" : "none";
  await writeProject({ root, timezone: zone, calendar, further }, run);
  if (flags.timezone === undefined && further?.sharesTimezone !== true)
    note(machineZoneNote(zone, shell), run);
  await showNextSteps({ root, further }, run, true);
  return 0;
}

/** An existing file, or a name with a calendar's extension. Anything else is a folder. */
async function isCalendar(path: string): Promise<boolean> {
  const found = await statsOf(path);
  if (found !== undefined) return !found.isDirectory();
  return readFormatOf(path) !== undefined;
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

/** Starts a project with a calendar that the team already has. Exits with 1 if it cannot be planned yet. */
async function fromCalendar(path: string, run: Run<InitFlags>): Promise<ExitCode> {
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
  if (flags.timezone === undefined && !isAsking)
    note(header === undefined ? machineZoneNote(timezone, shell) : headerZoneNote(header), run);
  if (!isAsking) showPosts(reading, run);
  const { checked, summary } = await checkWritten(root, shell);
  if (!isAsking || !areKnown(checked.problems, reading.problems, file))
    showCalendarProblems(checked.problems, checked.calendars, console);
  console.note(summary);
  if (hasErrors(checked.problems)) {
    if (!isAsking) await showCarryLine((ask) => read(timezone, ask), run);
    note(afterErrorsText(checked.problems), run);
    return 1;
  }
  await showNextSteps({ root, further }, run, false);
  return 0;
}

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

/** How to go on after errors: those of rows need no settings. */
function afterErrorsText(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  return errors.every(isOfRow)
    ? "Correct these rows in the calendar, then run plancast validate. To start without them: plancast plan --only-valid."
    : "Correct the calendar, or add the settings that the messages suggest to plancast.yaml. Then run plancast validate.";
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
  note(`If the blank cells mean "as above", add this line to plancast.yaml:`, run);
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
    "plancast.yaml already exists, and init overwrites nothing.",
    "To change one answer, edit plancast.yaml, or run plancast columns FILE --write. To start over, delete plancast.yaml and run init again.",
  );
}

function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
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

/** A project to start. */
interface NewProject extends Pick<InitOptions, "timezone" | "calendar" | "further"> {
  /** Absolute path of its folder. */
  readonly root: string;
}

async function writeProject(
  { root, timezone, calendar, further }: NewProject,
  { flags, shell, console }: Run<InitFlags>,
): Promise<void> {
  const { branch, folder } = await positionOf(root);
  const files = filesToWrite({
    today: new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(shell.clock.now()),
    timezone,
    action: `${ACTION}@v${VERSION}`,
    branch,
    folder,
    publishes: flags.publish,
    template: flags.template,
    calendar,
    gitignore: await readIfExists(root, ".gitignore"),
    gitattributes: await readIfExists(root, ".gitattributes"),
    further,
  });
  await writeNewFiles(root, files);
  const shown = nameIn(shell.cwd, root);
  for (const { path } of files) console.note(`wrote ${shown === "" ? path : join(shown, path)}\n`);
}

/** Where a folder is in its repository, if it has one. */
async function positionOf(
  root: string,
): Promise<{ readonly branch: string | undefined; readonly folder: string }> {
  const repository = await findBranch(root);
  return {
    branch: repository?.branch,
    folder: repository === undefined ? "" : nameIn(repository.root, root),
  };
}

async function showNextSteps(
  { root, further }: Pick<NewProject, "root" | "further">,
  run: Run<InitFlags>,
  hasTeamPage: boolean,
): Promise<void> {
  const folder = nameIn(run.shell.cwd, root);
  if (folder !== "") note(`Next: cd ${shellArgument(folder)}`, run);
  const position = await positionOf(root);
  const isOnGithub = await hasGithubRemote(root);
  const started = { ...position, further, publishes: run.flags.publish, isOnGithub, hasTeamPage };
  for (const step of nextSteps(started)) note(step, run);
  if (further !== undefined && isOnGithub && !run.flags.publish) await shareWorkflow(further, position, run);
  if (position.branch === undefined || further !== undefined) return;
  note("If several people apply, run this in each clone, so that git can merge their lockfiles:", run);
  // Never wrapped, because people copy it.
  run.console.note(`    ${MERGE_DRIVER}\n`);
}

/** Adds the project to the workflow of all projects. */
async function shareWorkflow(
  { repository, keyVariable: variable, others }: FurtherProject,
  { branch, folder }: Awaited<ReturnType<typeof positionOf>>,
  run: Run<InitFlags>,
): Promise<void> {
  const target = { repository, action: `${ACTION}@v${VERSION}`, branch: publishedBranch(branch) };
  const shared = await updateSharedWorkflow({ ...target, added: { folder, variable }, others });
  const { notes, before } = sharedWorkflowText(shared, { variable, secret: readSecret(variable) });
  for (const each of notes) note(each, run);
  if (shared.kind !== "by-hand") return;
  note(before, run);
  // Never wrapped, because people copy them.
  for (const line of shared.lines) run.console.note(`    ${escapeTerminal(line)}\n`);
}

function note(text: string, { console }: Run<InitFlags>): void {
  console.note(terminalText(advice(text, console.errorStyle)));
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
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

function machineZoneNote(zone: string, { env }: Shell): string {
  const from = env["TZ"] ? "the variable TZ" : "this machine's settings";
  return `Times are in ${zone}, the time zone from ${from}. If your team uses another one, change timezone in plancast.yaml.`;
}

function headerZoneNote({ name, header }: { readonly name: string; readonly header: string }): string {
  return `Times are in ${name}, because the header \`${header}\` says so. If that is wrong, correct the header, and timezone in plancast.yaml.`;
}

/** The text of a file; empty if it does not exist. */
async function readIfExists(root: string, path: string): Promise<string> {
  try {
    return (await readRegular(await placeInProject(root, path))).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error instanceof Failure ? error : notWritable(path, error);
  }
}

/** Writes all files or none: stops before the first if another one exists. After a start over, most are there. */
async function writeNewFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
  const places = new Map<FileToWrite, Place>();
  for (const file of files) {
    const place = await placeInProject(root, file.path);
    const isThere = !file.extendsExisting && (await statsAt(place)) !== undefined;
    if (isThere && (file.path === PROJECT_FILE || !(await holds(place, file.contents))))
      throw alreadyExists(file.path);
    if (!isThere) places.set(file, place);
  }
  for (const [{ path, contents, extendsExisting }, place] of places) {
    try {
      await makeFolder(folderOf(place));
      if (extendsExisting) await writeAtomic(place, contents);
      else if (!(await createWhole(place, contents))) throw alreadyExists(path);
    } catch (error) {
      throw error instanceof Failure ? error : notWritable(path, error);
    }
  }
}

async function holds(place: Place, contents: string | Uint8Array): Promise<boolean> {
  try {
    return (await readRegular(place)).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}

function alreadyExists(path: string): Failure {
  return new Failure(
    "project/exists",
    `${path} already exists, and init overwrites nothing.`,
    "Run it in an empty folder, or move the file away.",
  );
}

function notWritable(path: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${path} cannot be written: ${why}`,
    "Check the folder's permissions.",
  );
}
