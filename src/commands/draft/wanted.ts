/** Reads what rows ask `draft` for. Calendars are read with their bytes, because `draft` edits them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sortByCalendar } from "../../calendars/check.ts";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../../calendars/edit/row-edit.ts";
import { readContents } from "../../calendars/read-calendar.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { aliasesOf, platformReader } from "../../checks/platforms.ts";
import { type DraftTasks, type RedraftSelection, findDraftTasks } from "../../draft/tasks.ts";
import { findWritableTasks } from "../../draft/write-drafts.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { filterColumns } from "../../model/row-filter.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import type { Project } from "../../settings/config.ts";
import { type OnlyFlag, parseOnly } from "../common/flags.ts";
import type { Shell } from "../common/shell.ts";

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
  for (const { file, settings } of calendars.filter((each) => inScope(each.file))) {
    const options = { ...settings, keep: filterColumns([settings.only ?? {}, only ?? {}]) };
    const bytes = await bytesOf(project, file);
    const calendar = { ...(await readContents(file, bytes, options)), settings };
    problems.push(...calendar.problems);
    if (isUnderstood(calendar.problems)) files.push({ calendar, bytes, options });
  }
  const aliases = aliasesOf(project.config.platforms);
  const identify = (platform: string): string => {
    const typed = platform.trim().toLowerCase();
    return aliases.get(typed) ?? typed;
  };
  const found = findDraftTasks(files, {
    aliases,
    read: platformReader(aliases),
    only,
    again: redraftSelection(flags.again),
  });
  checkNames(flags.again, found.names);
  const probed = await findWritableTasks(found.wanted, identify);
  return {
    ...found,
    wanted: probed.wanted,
    problems: sortByCalendar([...problems, ...found.problems, ...probed.problems], calendars),
    files,
    identify,
  };
}

/** Faulty cells: only their rows are left out. */
const ROW_ERRORS: ReadonlySet<ProblemCode> = new Set([
  "sheet/error-value",
  "sheet/merged-cells",
  "sheet/no-result",
]);

function isUnderstood(problems: readonly Problem[]): boolean {
  return !hasErrors(problems.filter(({ code }) => !ROW_ERRORS.has(code)));
}

async function bytesOf({ root }: Project, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, file));
  } catch (error) {
    throw new Failure(
      "calendar/unreadable",
      `${file} cannot be read: ${reasonOf(error)}`,
      "Check its permissions.",
    );
  }
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
