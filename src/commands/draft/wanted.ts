/** Reads what rows ask `draft` for. Calendars are read with their bytes, because `draft` edits them. */

import { sortByCalendar } from "../../calendars/check.ts";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../../calendars/edit/row-edit.ts";
import { selectCalendars, severalEntries } from "../../calendars/select.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf, platformReader } from "../../checks/platforms.ts";
import { type DraftTasks, type RedraftSelection, findDraftTasks } from "../../draft/tasks.ts";
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
  const found = findDraftTasks(files, {
    aliases,
    read: platformReader(aliases),
    only,
    again: redraftSelection(flags.again),
  });
  checkNames(flags.again, found.names);
  const probed = await findWritableTasks(found.wanted, identifyPlatform);
  return {
    ...found,
    wanted: probed.wanted,
    problems: sortByCalendar([...problems, ...found.problems, ...probed.problems], calendars),
    files,
    identify: identifyPlatform,
  };
}

/** Only the named rows; without names, all that nobody has marked as ready. */
function redraftSelection(names: readonly string[] | undefined): RedraftSelection {
  if (names === undefined) return { includesRow: () => true, includesTask: () => false };
  if (names.length === 0) return { includesRow: () => true, includesTask: (isOpen) => isOpen };
  return { includesRow: (own) => own.some((name) => names.includes(name)), includesTask: () => true };
}

/** Throws a Failure for a name that matches no row with a prompt. */
function checkNames(names: readonly string[] | undefined, known: ReadonlySet<string>): void {
  const stranger = names?.find((name) => !known.has(name));
  if (stranger === undefined) return;
  throw new Failure(
    "draft/unknown-key",
    `This run has no row "${stranger}" with a prompt.`,
    "Name a row by its id, or as calendars/march.csv:4, and write calendars before --again. plancast does not draft skipped rows or rows with errors.",
  );
}
