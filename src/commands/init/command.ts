/**
 * `plancast init`: writes a project that works at once, without replacing any file. With a calendar, it finds out how
 * to read it, and asks what only the team can know.
 */

import { join, resolve } from "node:path";
import type { CheckedCalendars } from "../../calendars/check.ts";
import { configSchema } from "../../calendars/check-project.ts";
import { readProject, PROJECT_FILE } from "../../calendars/project.ts";
import { mergeSettings } from "../../calendars/proposal/proposal.ts";
import type { ProposalSource } from "../../calendars/proposal/read-proposal.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import { makeFolder, makeTemporaryFolder, statsAt } from "../../disk/files.ts";
import { placeInProject, placeTyped } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { didYouMean } from "../../model/text.ts";
import { machineZoneText } from "../../report/init/notes.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { countsText, nextAfter } from "../../report/problems/problems-text.ts";
import { addAccount } from "../accounts/command.ts";
import { ANSWER_FLAGS, answerProposal, isAtTerminal } from "../project/answer-proposal.ts";
import { checkOffline } from "../project/media.ts";
import { recordFetched } from "../project/sheets.ts";
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
import { type OwnCalendars, ownCalendars } from "./own-calendars.ts";
import { initAll } from "./all-projects.ts";
import { furtherProject } from "./several-projects.ts";
import { type InitRun, note, showNextSteps, writeNewFiles, writeProject } from "./write-project.ts";

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
  all: {
    type: "string",
    array: true,
    describe: "Start a project in each FOLDER, with one file of shared settings and one workflow",
    valueName: "FOLDER...",
  },
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
  run: (run) => (run.flags.all === undefined ? init(run) : initAll(run, run.flags.all, init)),
});

async function init(run: InitRun<InitFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  const own = await ownCalendars(run);
  if (own !== undefined) return startWithCalendars(own, run);
  const [name] = flags.path;
  const named = name === undefined ? undefined : resolve(shell.cwd, name);
  const root = named ?? shell.cwd;
  if (named !== undefined) await makeFolder((await placeTyped(named, shell.cwd)).place);
  const sharesZone = flags.timezone === undefined || run.sharedFile !== undefined;
  const further = await furtherProject(root, sharesZone, run.sharedFile);
  const zone = checkedZone(flags.timezone ?? further?.shared?.timezone ?? machineZone());
  // The sample's rows are for networks on which plancast does not publish itself.
  const calendar = flags.sample && !flags.publish ? "sample" : "none";
  await writeProject({ root, timezone: zone, calendar, further }, run);
  if (flags.timezone === undefined && further?.sharesTimezone !== true) noteMachineZone(zone, run);
  await showNextSteps({ root, further, calendar }, run, true);
  return askForAccount(root, run);
}

/** In the same sitting, because without an account nothing can be published. */
async function askForAccount(root: string, run: InitRun<InitFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  if (!flags.publish || !shell.isInteractive || run.sharedFile !== undefined) return 0;
  if (!(await shell.confirm("Add an account on which plancast publishes now? [y/N] "))) return 0;
  const project = await readProject(join(root, PROJECT_FILE));
  const code = await addAccount({ ...run, project }, undefined);
  return code === 130 ? code : 0;
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

/** Starts a project with calendars that the team already has. Exits with 1 if it cannot be planned yet. */
async function startWithCalendars(
  { root, entries, copies }: OwnCalendars,
  run: InitRun<InitFlags>,
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
  const further = await furtherProject(root, run.sharedFile !== undefined, run.sharedFile);
  const repeats = reading.calendars.some(({ rows }) => rows.some(({ cells }) => cells.repeat !== undefined));
  const calendar = { calendars, settings, repeats };
  await writeProject({ root, timezone, calendar, further }, run);
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
  await showNextSteps({ root, further, calendar }, run, false);
  return askForAccount(root, run);
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
