/** Which calendars a run reads, and which of them it may change. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import pLimit from "p-limit";
import type { Project } from "./calendar/config.ts";
import { problem, type Problem } from "./calendar/problem.ts";
import type { RawCalendar } from "./calendar/row.ts";
import { didYouMean, nearest } from "./calendar/nearest.ts";
import { findCalendars } from "./read/find-calendars.ts";
import { readCalendar } from "./read/read-calendar.ts";

export interface Selection {
  readonly calendars: readonly RawCalendar[];
  readonly inScope: (file: string) => boolean;
  readonly problems: readonly Problem[];
}

/**
 * Reads the project's calendars. With names the scope is narrowed to them; the others are read all the same,
 * because a row that is gone from one file may have moved to another.
 * @param names as given on the command line, relative to `cwd`
 */
export async function selectCalendars(
  project: Project,
  names: readonly string[],
  cwd: string,
): Promise<Selection> {
  const { files: found, problems: wrong } = await findCalendars(project.root, project.config.calendars);
  const named = names.map((name) => relative(project.root, resolve(cwd, name)).split(sep).join("/"));
  const strangers = named.filter((name) => !found.includes(name)).map((name) => notInProject(name, found));
  const problems = [...wrong, ...strangers];
  const scope = new Set(named);
  // Without names everything, a file that is gone included: its posts are gone rows.
  const inScope = (file: string): boolean => named.length === 0 || scope.has(file);
  return { calendars: await readAll(project, found), inScope, problems };
}

/** For offline checks: just the files named, also ones that the project's patterns do not match. */
export async function selectNamed(
  project: Project,
  names: readonly string[],
  cwd: string,
): Promise<Selection> {
  if (names.length === 0) return selectCalendars(project, names, cwd);
  const files = names.map((name) => relative(project.root, resolve(cwd, name)).split(sep).join("/"));
  const outside = files.filter((file) => file.startsWith("../") || isAbsolute(file));
  const problems = outside.map((file) =>
    problem("calendar/not-in-project", `${file} lies outside the project.`),
  );
  const inside = files.filter((file) => !outside.includes(file));
  return { calendars: await readAll(project, inside), inScope: () => true, problems };
}

async function readAll({ root, config }: Project, files: readonly string[]): Promise<RawCalendar[]> {
  const limit = pLimit(4);
  return Promise.all(files.map((file) => limit(() => readCalendar(root, file, { columns: config.columns }))));
}

function notInProject(name: string, found: readonly string[]): Problem {
  const message = `${name} is not one of the project's calendars (see \`calendars:\` in the project file).${didYouMean(nearest(name, found))}`;
  return problem("calendar/not-in-project", message);
}
