/**
 * `plancast init`: writes a project that works at once, without replacing any file. With a calendar, it finds out how
 * to read it, and asks what only the team can know.
 */

import type { Stats } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { CheckedCalendars } from "../../calendars/check.ts";
import { configSchema } from "../../calendars/check-project.ts";
import { findCalendars, patternFor } from "../../calendars/find.ts";
import { readProject, PROJECT_FILE } from "../../calendars/project.ts";
import { mergeSettings } from "../../calendars/proposal/proposal.ts";
import type { ProposalSource } from "../../calendars/proposal/read-proposal.ts";
import { CALENDAR_GLOB, endOf, formatOf } from "../../calendars/all-formats.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import { makeFolder, makeTemporaryFolder, statsAt } from "../../disk/files.ts";
import { readFile } from "../../disk/machine.ts";
import { isWithin, placeInProject, placeTyped, statsOf } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { fileNameInAddress, parseUrl } from "../../model/address.ts";
import { didYouMean } from "../../model/text.ts";
import { machineZoneText } from "../../report/init/notes.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { SheetCopy } from "../../settings/calendar-settings.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import { countsText, nextAfter } from "../../report/problems/problems-text.ts";
import { ANSWER_FLAGS, answerProposal, isAtTerminal } from "../project/answer-proposal.ts";
import { checkOffline } from "../project/media.ts";
import { recordFetched, sheetBytes, withSources } from "../project/sheets.ts";
import {
  type FlagsOf,
  type Run,
  defineCommand,
  defineFlags,
  namesPositional,
  switchOption,
  textOption,
} from "../shell/command.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import type { FileToWrite } from "./files.ts";
import { furtherProject } from "./several-projects.ts";
import { nameIn, note, showNextSteps, writeNewFiles, writeProject } from "./write-project.ts";

const FLAGS = defineFlags({
  path: namesPositional("Calendars that you have, as files or addresses, or a folder for the project"),
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
  ...ANSWER_FLAGS,
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
  const own = await ownCalendars(run);
  if (own !== undefined) return startWithCalendars(own, run);
  const [name] = flags.path;
  const named = name === undefined ? undefined : resolve(shell.cwd, name);
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

/** The calendars that the user named, from the folder of the project. */
interface OwnCalendars {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Patterns of its calendars, relative to the root, with `/`, and copies of sheets. */
  readonly entries: readonly (string | SheetCopy)[];
  /** Calendars from elsewhere, which become files of the project. */
  readonly copies: readonly ForeignCalendar[];
}

interface ForeignCalendar extends FileToWrite {
  readonly contents: Uint8Array;
  /** The address of a sheet. */
  readonly from?: string;
}

/** Undefined without calendars: then the project starts with a sample. */
async function ownCalendars(run: Run<InitFlags>): Promise<OwnCalendars | undefined> {
  const { cwd } = run.shell;
  const names = run.flags.path;
  const addresses = names.filter((name) => ADDRESS.test(name));
  const paths = await Promise.all(
    names
      .filter((name) => !addresses.includes(name))
      .map(async (name) => ({ path: resolve(cwd, name), stats: await statsOf(resolve(cwd, name)) })),
  );
  const [first] = paths;
  if (first === undefined && addresses.length === 0) return undefined;
  if (first !== undefined && names.length === 1 && isFolder(first)) {
    const found = first.stats === undefined ? [] : await tablesIn(first.path);
    return found.length === 0 ? undefined : { root: first.path, entries: found.map(patternFor), copies: [] };
  }
  const patterns: string[] = [];
  const copies: ForeignCalendar[] = await fetchedSheets(addresses, run);
  const sheets = copies.map(({ path: file, from = "" }) => ({ file, from }));
  for (const each of paths) {
    const name = nameIn(cwd, each.path);
    if (each.stats === undefined) throw unreadable(name, "there is no file or folder with this name");
    if (isFolder(each))
      patterns.push(...(await tablesIn(each.path)).map((file) => patternFor(`${name}/${file}`)));
    else if (isWithin(cwd, each.path)) patterns.push(patternFor(name));
    else {
      const copy = `calendars/${basename(each.path)}`;
      copies.push({ path: copy, contents: await readForeign(each.path), extendsExisting: false });
      patterns.push(patternFor(copy));
    }
  }
  return { root: cwd, entries: [...sheets, ...new Set(patterns)], copies };
}

const ADDRESS = /^\w+:\/\//;

/** Sheets at addresses, each with the name of its copy. Throws a Failure for one that cannot be had. */
async function fetchedSheets(addresses: readonly string[], run: Run): Promise<ForeignCalendar[]> {
  if (addresses.length === 0) return [];
  const copies: ForeignCalendar[] = [];
  const { media } = configSchema.parse({});
  await withSources(run, { allows: () => false, timeout: media.timeout }, async (access) => {
    for (const from of new Set(addresses)) {
      const file = copyName(from, copies.length);
      const fetched = await sheetBytes({ file, from }, access);
      if ("message" in fetched) throw new Failure("fetch/source", fetched.message);
      copies.push({ path: file, contents: fetched.bytes, extendsExisting: false, from });
    }
  });
  return copies;
}

/** `calendars/plan.xlsx`, or the name of the file in the address. Throws a Failure for any other text. */
function copyName(from: string, index: number): string {
  const address = parseUrl(from);
  if (address?.protocol !== "https:")
    throw new Failure("usage/arguments", `${from} is not an address that begins with https://.`);
  const { endings } = sourceOf(address);
  const named = fileNameInAddress(from)?.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-") ?? "";
  if (endings.includes(endOf(named)) && !named.startsWith(".")) return `calendars/${named}`;
  return `calendars/plan${index === 0 ? "" : `-${index + 1}`}.${endings[0] ?? "xlsx"}`;
}

/** An existing folder, or a name without a calendar's extension. */
function isFolder({ path, stats }: { readonly path: string; readonly stats: Stats | undefined }): boolean {
  return stats?.isDirectory() ?? formatOf(path) === undefined;
}

/** The tables in a folder. Other files, such as notes in Markdown, are calendars only if somebody names them. */
async function tablesIn(folder: string): Promise<readonly string[]> {
  const { files } = await findCalendars(folder, [CALENDAR_GLOB.replace("calendars/", "")]);
  return files.filter((file) => formatOf(file)?.isTable === true);
}

/** Starts a project with calendars that the team already has. Exits with 1 if it cannot be planned yet. */
async function startWithCalendars(
  { root, entries, copies }: OwnCalendars,
  run: Run<InitFlags>,
): Promise<ExitCode> {
  const { flags, shell, console } = run;
  await rejectProject(root);
  const zone = flags.timezone === undefined ? undefined : checkedZone(flags.timezone);
  const folder = copies.length === 0 ? undefined : await makeTemporaryFolder("plancast-init-");
  // Calendars from elsewhere are read before anything is written into the project.
  if (folder !== undefined) await writeNewFiles(folder.place.path, copies);
  const source: ProposalSource = {
    root: folder?.place.path ?? root,
    given: { calendars: [...entries], ...(zone === undefined ? {} : { timezone: zone }) },
    configOf: (settings) => configSchema.parse(settings),
    machine: zone === undefined ? { zone: machineZone(), from: "this computer" } : undefined,
    isNew: true,
    hasPictures: folder === undefined,
  };
  let answered: Awaited<ReturnType<typeof answerProposal>>;
  try {
    answered = await answerProposal(source, run);
  } finally {
    await folder?.remove();
  }
  if (answered === "printed") return 0;
  const { reading } = answered;
  const given = { calendars: [...entries], timezone: zone ?? machineZone() };
  const {
    timezone = given.timezone,
    calendars = given.calendars,
    ...settings
  } = mergeSettings(given, answered.settings);
  if (copies.length > 0) {
    await writeNewFiles(root, copies);
    for (const { path } of copies) console.note(`copied the calendar to ${escapeTerminal(path)}\n`);
  }
  const further = await furtherProject(root, false);
  const repeats = reading.calendars.some(({ rows }) => rows.some(({ cells }) => cells.repeat !== undefined));
  await writeProject({ root, timezone, calendar: { calendars, settings, repeats }, further }, run);
  const sheets = copies.flatMap(({ path: file, from, contents: bytes }) =>
    from === undefined ? [] : [{ copy: { file, from }, bytes }],
  );
  if (sheets.length > 0) await recordFetched(await readProject(join(root, PROJECT_FILE)), sheets);
  const { checked, summary } = await checkWritten(root, shell);
  // At a terminal, the person has just seen them.
  if (!isAtTerminal(run) || copies.length > 0)
    showCalendarProblems(checked.problems, checked.calendars, console);
  console.note(summary);
  if (hasErrors(checked.problems)) {
    note(nextAfter(checked.problems), run);
    return 1;
  }
  await showNextSteps({ root, further }, run, false);
  return 0;
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

/** Stops before the first question. */
async function rejectProject(root: string): Promise<void> {
  const place = await placeInProject(root, PROJECT_FILE);
  if ((await statsAt(place)) === undefined) return;
  throw new Failure(
    "write/exists",
    "plancast.yaml already exists, and init does not overwrite files.",
    "To change one answer, edit plancast.yaml, or run plancast columns --ask. To start over, delete plancast.yaml and run init again.",
  );
}

/** A calendar outside of the project: it is copied. */
async function readForeign(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, reasonOf(error));
  }
}

function unreadable(name: string, why: string): Failure {
  return new Failure(
    "disk/unreadable",
    `${name} cannot be read: ${why}`,
    "Check the name, and put a name with blanks in quotes.",
  );
}
