/** Selects the calendars that a run reads, and the calendars that it may change. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import pLimit from "p-limit";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { groupBy } from "../model/data.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { targetText } from "../model/columns.ts";
import { type Hold, HOLDS_FILE, parseHolds } from "../model/holds.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type Only, filterColumns } from "../model/row-filter.ts";
import { foldName } from "../model/text.ts";
import {
  type Calendar,
  type CalendarSettings,
  patternsOf,
  settingsOf,
} from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { formatOf } from "./all-formats.ts";
import { mergedAccounts } from "./columns/account-for.ts";
import { isUnexplained, withSharedError } from "./columns/account-text.ts";
import {
  type FoundCalendars,
  findCalendars,
  linkedAmong,
  linkedCalendar,
  matchesFile,
  readingsOf,
} from "./find.ts";
import { type ReadContents, readCalendar, suggestCalendar } from "./read-calendar.ts";

export interface Selection {
  readonly calendars: readonly Calendar[];
  /** The flags that limit this run, besides the names of calendars. */
  readonly only?: Only | undefined;
  readonly inScope: (file: string) => boolean;
  /** All holds of the project, also those that ended. */
  readonly holds: readonly Hold[];
  readonly problems: readonly Problem[];
}

/** The scope of a run, from the command line. */
export interface SelectionOptions {
  /** Names of calendars or folders; none for all. */
  readonly calendars: readonly string[];
  readonly only: Only | undefined;
  /** The text of the file with the holds that count. Default: the checkout's. */
  readonly holds?: string | undefined;
  /** Reads the bytes of calendars, for a caller that keeps what it reads. */
  readonly read?: ReadContents | undefined;
}

/** A run with everything in scope. */
export const SELECT_ALL: SelectionOptions = { calendars: [], only: undefined };

/**
 * Reads the project's calendars. Names limit the scope, but all calendars are read, because a missing row may have
 * moved to another file.
 * @param cwd the folder to which names of calendars are relative
 */
export async function selectCalendars(
  project: Pick<Project, "root" | "config">,
  { calendars: names, only, read, ...given }: SelectionOptions,
  cwd: string,
): Promise<Selection> {
  const holds = parseHolds(given.holds ?? (await holdsIn(project)));
  const all = await findCalendars(project.root, project.config.calendars);
  const { files: found, problems: wrong } = all;
  const named = names.map((name) => relative(project.root, resolve(cwd, name)).split(sep).join("/"));
  const strangers = named.filter((name) => !found.some((file) => isWithin(file, name)));
  const problems = [...wrong, ...strangers.map((name) => notInProject(name, found))];
  // Without names, deleted calendars are in scope too: their posts must be cancelled.
  const inScope = (file: string): boolean => named.length === 0 || named.some((name) => isWithin(file, name));
  const filters = [only ?? {}, ...holds.map((hold) => hold.only)];
  return { calendars: await readAll(project, found, all, { filters, read }), only, inScope, holds, problems };
}

/** The text of the checkout's file with holds; blank if there is none. */
export async function holdsIn({ root }: Pick<Project, "root">): Promise<string> {
  try {
    return (await readRegular(await placeInProject(root, HOLDS_FILE))).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    if (error instanceof Failure) throw error;
    throw new Failure(
      "hold/unreadable",
      `${HOLDS_FILE} cannot be read: ${reasonOf(error)}. Nothing was changed, because plancast cannot know what it withholds.`,
      "Restore the file from git, and check its permissions.",
    );
  }
}

/** Whether a calendar is the named one, or is in the named folder. */
function isWithin(file: string, name: string): boolean {
  return file === name || name === "" || file.startsWith(`${name}/`);
}

/** For offline checks: only the named files, including ones outside the project's patterns. */
export async function selectNamed(
  project: Project,
  narrowing: SelectionOptions,
  cwd: string,
): Promise<Selection> {
  const { calendars: names, only, read } = narrowing;
  if (names.length === 0) return selectCalendars(project, narrowing, cwd);
  const files = names.map((name) => relative(project.root, resolve(cwd, name)).split(sep).join("/"));
  const outside = files.filter((file) => file.startsWith("../") || isAbsolute(file));
  const problems = outside.map((file) =>
    problem("calendar/not-in-project", `${file} is outside the project. Copy it into the project.`),
  );
  const all = await findCalendars(project.root, project.config.calendars);
  const linked = await linkedAmong(project.root, files);
  const inside = files.filter((file) => !outside.includes(file) && !linked.includes(file));
  problems.push(...linked.map(linkedCalendar));
  const calendars = await readAll(project, inside, all, { filters: [only ?? {}], read });
  return { calendars, only, inScope: () => true, holds: [], problems };
}

/**
 * How a file would be read, which need not exist, and whether it would be one of the project's calendars. `file` is
 * relative to the root, with `/`.
 */
export function settingsFor(
  { config }: Project,
  file: string,
): { readonly settings: CalendarSettings; readonly isCalendar: boolean } {
  const naming = config.calendars.filter((entry) => matchesFile(patternsOf(entry), file));
  const isCalendar = matchesFile(config.calendars.flatMap(patternsOf), file);
  return { settings: settingsOf(config, isCalendar ? naming : []), isCalendar };
}

async function readAll(
  { root, config }: Pick<Project, "root" | "config">,
  files: readonly string[],
  { files: known, entriesOf }: FoundCalendars,
  { filters, read }: Pick<SelectionOptions, "read"> & { readonly filters: readonly Only[] },
): Promise<Calendar[]> {
  const limit = pLimit(4);
  const readings = files.flatMap((file) => readingsOf(entriesOf(file)).map((entries) => ({ file, entries })));
  const readAs = (file: string, settings: CalendarSettings): Promise<Calendar> =>
    limit(async () => {
      const keep = filterColumns([settings.only ?? {}, ...filters]);
      return { ...(await readCalendar(root, file, { ...settings, keep, known }, read)), settings };
    });
  const calendars = await Promise.all(
    readings.map(({ file, entries }) => readAs(file, settingsOf(config, entries))),
  );
  const approvals = approvalKeys(calendars);
  return withSharedErrors(
    await Promise.all(
      calendars.map(async (each) => {
        const missing = isOnePost(each) ? approvals.filter(([key]) => !hasColumn(each, key)) : [];
        return missing.length === 0
          ? each
          : readAs(each.file, { ...each.settings, approvals: Object.fromEntries(missing) });
      }),
    ),
  );
}

function isOnePost({ file }: Calendar): boolean {
  return formatOf(file)?.isOnePost === true;
}

/**
 * Keys of files with one post that say which posts may go out, such as `approved`, or a key that `columns:` calls a status. A
 * file without it is not approved.
 */
function approvalKeys(calendars: readonly Calendar[]): readonly (readonly [key: string, target: string])[] {
  const found = calendars.filter(isOnePost).flatMap(({ account, settings }) => {
    const named = new Set(Object.keys(settings.columns).map(foldName));
    return (account?.deciding ?? []).flatMap(({ key, as }) => {
      const isApproval = as.kind === "switch" && as.value === "ready";
      const isStatus = as.kind === "field" && as.field === "status" && named.has(foldName(key));
      return isApproval || isStatus ? [[foldName(key), targetText(as)] as const] : [];
    });
  });
  return [...new Map(found)];
}

function hasColumn({ account }: Calendar, key: string): boolean {
  return account?.columns.some((column) => foldName(column.key) === key) === true;
}

function nounOf({ file }: Calendar): "column" | "key" {
  return formatOf(file)?.isTable === true ? "column" : "key";
}

/** Calendars with the same settings need one answer, so each has the error about the columns and values of all of them. */
function withSharedErrors(calendars: readonly Calendar[]): Calendar[] {
  const open = calendars.filter(({ problems }) => problems.some(isUnexplained));
  const groups = groupBy(open, (each) => JSON.stringify([nounOf(each), each.settings]));
  const shared = new Map(
    [...groups.values()]
      .filter((same) => same.length > 1)
      .flatMap((same) => {
        const account = mergedAccounts(same.flatMap((each) => each.account ?? []));
        return same.map((each) => [each, withSharedError(each.problems, account, nounOf(each))] as const);
      }),
  );
  return calendars.map((each) => ({ ...each, problems: shared.get(each) ?? each.problems }));
}

/** Why a command that writes one file cannot use a workbook that several entries read, each with its own settings. */
export function severalEntries(
  { file }: Pick<Calendar, "file">,
  what: "convert" | "draft" | "write into",
): Failure {
  return new Failure(
    "usage/arguments",
    `plancast cannot ${what} ${file}, because several entries under \`calendars:\` read its sheets with different settings.`,
    "Save each sheet as its own workbook, or name all sheets in one entry: `sheet: [December, January]`.",
  );
}

function notInProject(name: string, found: readonly string[]): Problem {
  const message = `${name} is not one of the project's calendars (see \`calendars:\` in plancast.yaml).${suggestCalendar(name, found)}`;
  return problem("calendar/not-in-project", message);
}
