/**
 * Gets the answers to a proposal: from a person at a terminal, from a file of answers, or none with --yes. `init` and
 * `columns --ask` use it.
 */

import { resolve } from "node:path";
import {
  type Choice,
  type ProposalLine,
  type ProposalTable,
  mergeSettings,
  settingsOfLines,
} from "../../calendars/proposal/proposal.ts";
import {
  type ProposalReading,
  type ProposalSource,
  readProposal,
} from "../../calendars/proposal/read-proposal.ts";
import { READING_TABLE } from "../../calendars/proposal/reading-tables.ts";
import { type Answers, proposalYaml, readAnswers, settle } from "../../calendars/proposal/settle.ts";
import { readFile } from "../../disk/machine.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { mediaPlaces, resolveMedia } from "../../media/resolve-media.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { nextPostsLines } from "../../report/init/notes.ts";
import { VALUE_TABLE } from "../../calendars/proposal/value-tables.ts";
import { terminalText } from "../../report/text/escape.ts";
import { ENTER_WRITES, askTable, askToWrite } from "../shell/ask-table.ts";
import { type Run, YES_OPTION, switchOption, textOption } from "../shell/command.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";

/** The flags for people without a terminal. */
export const ANSWER_FLAGS = {
  propose: switchOption("Print the proposal as YAML, and write nothing"),
  answers: textOption("Take the answers from this file, which --propose printed", "FILE"),
  yes: {
    ...YES_OPTION,
    alias: "y",
    describe: "Ask nothing: accept known columns, ignore notes, and stop at what is left",
  },
} as const;

interface AnswerFlags {
  readonly propose: boolean;
  readonly answers: string | undefined;
  readonly yes: boolean;
}

/** What somebody answered, and how the calendars are read with it. */
interface Answered {
  readonly settings: ProjectSettings;
  readonly reading: ProposalReading;
}

/** Throws a Failure if something is left that nobody has answered. */
export async function answerProposal(
  source: ProposalSource,
  run: Run<AnswerFlags>,
): Promise<Answered | "printed"> {
  return isAtTerminal(run) ? askedAnswers(source, run) : givenAnswers(source, run);
}

/** Whether a person answers at a terminal. */
export function isAtTerminal({ flags, shell }: Run<AnswerFlags>): boolean {
  return shell.isInteractive && !flags.yes && !flags.propose && flags.answers === undefined;
}

async function givenAnswers(source: ProposalSource, run: Run<AnswerFlags>): Promise<Answered | "printed"> {
  const { flags, console } = run;
  const answers = flags.answers === undefined ? {} : await answersIn(flags.answers, run);
  const accepts = ({ certainty, chosen }: ProposalLine): boolean =>
    chosen !== undefined && (flags.propose || certainty === "certain" || (flags.yes && certainty === "note"));
  const settled = await settle(source, answers, accepts, flags.propose ? assumedAnswer : undefined);
  if (flags.propose) {
    console.result(proposalYaml(settled));
    return "printed";
  }
  const { left } = settled;
  if (left.length > 0) {
    console.result(
      proposalYaml(await settle(source, answers, ({ chosen }) => chosen !== undefined, assumedAnswer)),
    );
    throw new Failure(
      "project/unanswered",
      `${left.length === 1 ? "1 answer is" : `${left.length} answers are`} missing: ${namesOf(left)}. Nothing was written.`,
      "Save the lines above as answers.yaml, correct them, and run the command again with --answers answers.yaml.",
    );
  }
  return settled;
}

/** If all rows with a value were ready, what else would be asked? */
function assumedAnswer({ choices }: ProposalLine): Choice | undefined {
  return choices.find(({ word }) => word === "ready" || word === "yes") ?? choices[0];
}

/** Lines that a message names. */
const MOST_NAMED = 8;

function namesOf(lines: readonly ProposalLine[]): string {
  const names = lines.slice(0, MOST_NAMED).map(({ name }) => `"${name}"`);
  return names.join(", ") + (lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : "");
}

async function answersIn(file: string, { shell }: Run<AnswerFlags>): Promise<Answers> {
  try {
    return readAnswers(file, await readFile(resolve(shell.cwd, file), "utf8"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new Failure(
      "disk/unreadable",
      `${file} cannot be read: ${reasonOf(error)}`,
      "Check the name after --answers.",
    );
  }
}

/** A table that somebody has answered. */
interface AnsweredTable {
  readonly id: string;
  readonly lines: readonly ProposalLine[];
  readonly settings: ProjectSettings;
}

/** Asks table by table. A person can go back from each to the one before, and finds the answers there. */
async function askedAnswers(source: ProposalSource, run: Run<AnswerFlags>): Promise<Answered> {
  const { shell, console } = run;
  const answered: AnsweredTable[] = [];
  const before = new Map<string, Choice | undefined>();
  const goBack = (): void => {
    for (const { path, chosen } of answered.pop()?.lines ?? []) before.set(path.join("\n"), chosen);
  };
  for (;;) {
    const settings = answered.reduce<ProjectSettings>((all, each) => mergeSettings(all, each.settings), {});
    const reading = await readProposal(source, settings);
    rejectHopeless(reading, run);
    const table = await withFurtherValues(nextTable(reading.tables, answered), source, settings);
    if (table === undefined) {
      await showReading(reading, source, run);
      if (await askToWrite(shell)) return { settings, reading };
      goBack();
      continue;
    }
    const lines = table.lines.map((line) => ({
      ...line,
      chosen: before.get(line.path.join("\n")) ?? line.chosen,
    }));
    const last = await acceptedAsLast({ ...table, lines }, answered, source, settings);
    if (last !== undefined) await showReading(last, source, run);
    const enter = last === undefined ? undefined : ENTER_WRITES;
    const answers = await askTable({ ...table, lines }, answered.length > 0, shell, console, enter);
    if (answers === undefined) goBack();
    else if (last !== undefined && answers.every(({ chosen }, index) => chosen === lines[index]?.chosen))
      return { settings: mergeSettings(settings, settingsOfLines(lines)), reading: last };
    else answered.push({ id: table.id, lines: answers, settings: settingsOfLines(answers) });
  }
}

/** How the calendars are read if Enter accepts the last table; undefined if there is more to ask, in it or after it. */
async function acceptedAsLast(
  { id, lines }: ProposalTable,
  answered: readonly AnsweredTable[],
  source: ProposalSource,
  settings: ProjectSettings,
): Promise<ProposalReading | undefined> {
  if (id !== READING_TABLE || lines.some(({ chosen }) => chosen === undefined)) return undefined;
  const own = settingsOfLines(lines);
  const reading = await readProposal(source, mergeSettings(settings, own));
  return nextTable(reading.tables, [...answered, { id, lines, settings: own }]) === undefined
    ? reading
    : undefined;
}

/** The first table that nobody has answered. One that was answered comes again with the lines that are new. */
function nextTable(
  tables: readonly ProposalTable[],
  answered: readonly AnsweredTable[],
): ProposalTable | undefined {
  const isAnswered = new Set(answered.flatMap(({ lines }) => lines.map(({ path }) => path.join("\n"))));
  for (const table of tables) {
    const times = answered.filter(({ id }) => id.split("\n")[0] === table.id).length;
    if (times === 0) return table;
    const lines = table.lines.filter(
      ({ certainty, path }) => certainty !== "certain" && !isAnswered.has(path.join("\n")),
    );
    if (lines.length > 0) return { ...table, id: `${table.id}\n${times}`, lines };
  }
  return undefined;
}

/** The table of values, also with those that only show once others have an answer: the networks of rows that are ready. */
async function withFurtherValues(
  table: ProposalTable | undefined,
  source: ProposalSource,
  settings: ProjectSettings,
): Promise<ProposalTable | undefined> {
  if (table?.id !== VALUE_TABLE) return table;
  const assumed = table.lines.map((line) => ({ ...line, chosen: line.chosen ?? assumedAnswer(line) }));
  const { tables } = await readProposal(source, mergeSettings(settings, settingsOfLines(assumed)));
  const known = new Set(table.lines.map(({ path }) => path.join("\n")));
  const more = tables
    .filter(({ id }) => id === VALUE_TABLE)
    .flatMap(({ lines }) =>
      lines.filter(({ path }) => path[0] === "platforms" && !known.has(path.join("\n"))),
    );
  return { ...table, lines: [...table.lines, ...more] };
}

/** Neither an answer nor a setting can help: the file has no row that plancast can read. */
function rejectHopeless({ problems, calendars, tables }: ProposalReading, run: Run<AnswerFlags>): void {
  const rows = calendars.flatMap((each) => [...each.rows, ...(each.faultyRows ?? [])]);
  if (!hasErrors(problems) || rows.length > 0 || tables.some(({ id }) => id !== READING_TABLE)) return;
  showCalendarProblems(problems, calendars, run.console);
  throw new Failure(
    "calendar/empty",
    "No row of the calendar can be read, so there is nothing to ask.",
    "Nothing was written.",
  );
}

/** Shows the next posts with the problems that `validate` would find. */
async function showReading(
  { calendars, config, problems, posts, leftOut, settings }: ProposalReading,
  { root, hasPictures }: ProposalSource,
  { shell, console }: Run<AnswerFlags>,
): Promise<void> {
  const media = hasPictures
    ? await resolveMedia(posts, mediaPlaces({ root, config }), async () => undefined)
    : undefined;
  shell.stderr.write("\n");
  showCalendarProblems([...problems, ...(media?.problems ?? [])], calendars, console);
  const timezone = settings.timezone ?? config.timezone ?? "UTC";
  console.result(
    terminalText(nextPostsLines({ posts, leftOut, now: shell.clock.now() }, timezone, console.style)),
  );
}
