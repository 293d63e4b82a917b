/** Reads what rows ask `draft` for. Calendars are read with their bytes, because `draft` edits them. */

import { realpath } from "node:fs/promises";
import { sortByCalendar } from "../../calendars/check.ts";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../../calendars/edit/row-edit.ts";
import { selectCalendars, severalEntries } from "../../calendars/select.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf, platformReader } from "../../checks/platforms.ts";
import { findAltTasks, withoutVideos } from "../../draft/alt-tasks.ts";
import {
  type DraftSelection,
  type DraftTasks,
  type RedraftSelection,
  findDraftTasks,
} from "../../draft/tasks.ts";
import { findWritableTasks } from "../../draft/write-drafts.ts";
import { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import type { Project } from "../../settings/config.ts";
import { isUnderstood, readCalendarFiles } from "../project/calendar-file.ts";
import { type OnlyFlag, parseOnly } from "../shell/flags.ts";
import type { Shell } from "../shell/shell.ts";

export interface DraftFlags extends OnlyFlag {
  readonly calendar: string[];
  /** Undefined: not given; empty: all drafts. */
  readonly again: string[] | undefined;
  readonly alt: boolean;
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly format: "text" | "json";
}

export interface DraftRequests extends DraftTasks {
  readonly files: readonly CalendarFile[];
  readonly identify: IdentifyPlatform;
}

export async function readDraftRequests(
  project: Project,
  flags: DraftFlags,
  { cwd }: Shell,
): Promise<DraftRequests> {
  const only = parseOnly(flags.only);
  const {
    calendars,
    inScope,
    problems: wrong,
  } = await selectCalendars(project, { calendars: flags.calendar, only }, cwd);
  const files: CalendarFile[] = [];
  const problems: Problem[] = [...wrong];
  const wanted = calendars.filter((each) => inScope(each.file));
  const twice = wanted.find((each, index) => wanted.findIndex(({ file }) => file === each.file) < index);
  if (twice !== undefined) throw severalEntries(twice, "draft");
  for (const file of await readCalendarFiles(project, wanted, only)) {
    problems.push(...file.calendar.problems);
    if (isUnderstood(file)) files.push(file);
  }
  const aliases = aliasesOf(project.config);
  const identifyPlatform = (platform: string): string => identify(platform, aliases);
  const wish = { aliases, read: platformReader(aliases), only, again: redraftSelection(flags.again) };
  const found = await tasksOf(project, files, wish, flags.alt);
  checkNames(flags.again, found.names, flags.alt);
  const probed = await findWritableTasks(found.wanted, identifyPlatform);
  return {
    ...found,
    wanted: probed.wanted,
    problems: sortByCalendar([...problems, ...found.problems, ...probed.problems], calendars),
    files,
    identify: identifyPlatform,
  };
}

/** Either texts and pictures, or alt texts. Answers of the other kind that wait are still known. */
async function tasksOf(
  { root }: Project,
  files: readonly CalendarFile[],
  wish: DraftSelection,
  isAlt: boolean,
): Promise<DraftTasks> {
  const texts = findDraftTasks(files, wish);
  const alts = findAltTasks(files, wish);
  const known = new Set([...texts.known, ...alts.had.keys()]);
  if (!isAlt) return { ...texts, known };
  const requested = new Set(alts.wanted.map(({ request }) => request));
  const { wanted, problems } = await withoutVideos(await realpath(root), alts.wanted);
  const had = new Map([...alts.had].filter(([request]) => !requested.has(request)));
  return { wanted, problems, had, known, names: alts.names, unsure: texts.unsure };
}

/** Only the named rows. Without names, all rows that nobody has marked as ready. */
function redraftSelection(names: readonly string[] | undefined): RedraftSelection {
  if (names === undefined) return { includesRow: () => true, includesTask: () => false };
  if (names.length === 0) return { includesRow: () => true, includesTask: (isOpen) => isOpen };
  return { includesRow: (own) => own.some((name) => names.includes(name)), includesTask: () => true };
}

/** Throws a Failure for a name that matches no row of this run. */
function checkNames(names: readonly string[] | undefined, known: ReadonlySet<string>, isAlt: boolean): void {
  const stranger = names?.find((name) => !known.has(name));
  if (stranger === undefined) return;
  throw new Failure(
    "draft/unknown-key",
    `This run has no row "${stranger}" with ${isAlt ? "a picture" : "a prompt"}.`,
    "Name a row by its id, or as calendars/march.csv:4, and write calendars before --again. plancast does not draft skipped rows or rows with errors.",
  );
}
