/**
 * Finds the projects below a folder, for --all and for the Action, those that a change touches, and calendars that
 * several of them would publish.
 */

import type { Dirent } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { readdir } from "../disk/machine.ts";
import { Failure, ProjectProblems, errorCode } from "../model/failure.ts";
import { compareText } from "../model/text.ts";
import { findCalendars, matchesFile } from "./find.ts";
import { PROJECT_FILE, readProject } from "./project.ts";

/** Folders of tools, which may contain copies of projects. */
export const NOT_SEARCHED = new Set(["node_modules", ".git", ".plancast"]);

/**
 * Absolute paths of every plancast.yaml in a folder and below it, sorted. Follows no links to folders. A folder that
 * cannot be read counts as a project, so that reading it later gives the error. Nothing is skipped silently.
 * @param maxFolders ends the search after this many folders, the nearest first
 */
export async function findProjects(folder: string, maxFolders = Infinity): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [folder];
  // The loop also goes through the folders that it adds.
  for (const [index, next] of folders.entries()) {
    if (index >= maxFolders) break;
    const entries = await entriesOf(next);
    if (entries === "unreadable") {
      found.push(join(next, PROJECT_FILE));
      continue;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!NOT_SEARCHED.has(entry.name)) folders.push(join(next, entry.name));
      } else if (entry.name === PROJECT_FILE) found.push(join(next, PROJECT_FILE));
    }
  }
  return found.sort(compareText);
}

/** The projects whose folders match patterns such as `clients/*`, and what is wrong with the patterns. */
export interface MatchedProjects {
  /** Absolute paths of each plancast.yaml, in the given order. */
  readonly files: readonly string[];
  /** The patterns that match no project. A pattern that starts with `!` may match none. */
  readonly unused: readonly string[];
}

/**
 * @param files absolute paths of each plancast.yaml
 * @param root of the search, absolute; patterns are relative to it
 * @param patterns of folders, `.` for the root, with `!` at the start for those to leave out
 */
export function matchProjects(
  files: readonly string[],
  root: string,
  patterns: readonly string[],
): MatchedProjects {
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const folders = files.map((file) => ({ file, folder: folderIn(root, dirname(file)) }));
  return {
    files: folders.filter(({ folder }) => choosesFolder(patterns, folder)).map(({ file }) => file),
    unused: wanted.filter((pattern) => !folders.some(({ folder }) => matchesFolder([pattern], folder))),
  };
}

/** With `/`; blank for the root. */
function folderIn(root: string, folder: string): string {
  return relative(root, folder).split(sep).join("/");
}

/**
 * Whether a pattern matches a folder, and none with `!` does. The folder need not exist.
 * @param folder relative to the root; blank for the root
 */
export function choosesFolder(patterns: readonly string[], folder: string): boolean {
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return matchesFolder(wanted, folder) && !matchesFolder(unwanted, folder);
}

function matchesFolder(patterns: readonly string[], folder: string): boolean {
  const plain = patterns.map((pattern) => pattern.replace(/^(?:\.\/)+/, "").replace(/(?<!\/)\/+$/, ""));
  if (folder === "") return plain.includes(".");
  const others = plain.filter((pattern) => pattern !== ".");
  return others.length > 0 && matchesFile(others, folder);
}

/**
 * The projects whose result a change of files can change: files in the project's folder, or settings that it takes from
 * other folders. A project that cannot be read counts, because a changed file may be the reason.
 * @param files absolute paths of each plancast.yaml
 * @param root of the repository, absolute
 * @param changed paths from there, with `/`
 */
export async function touchedProjects(
  files: readonly string[],
  root: string,
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const touched = await Promise.all(
    files.map(async (file) => {
      const folder = folderIn(root, dirname(file));
      if ([...changed].some((path) => isInFolder(path, folder) || isInFolder(folder, path))) return true;
      const shared = await extendedBy(file);
      return shared === undefined || shared.some((path) => changed.has(folderIn(root, path)));
    }),
  );
  return files.filter((_file, index) => touched[index]);
}

/** This includes the folder itself, which is a single entry if it is a submodule. */
function isInFolder(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Absolute paths of the files that a project extends; undefined if it cannot be read. */
async function extendedBy(file: string): Promise<readonly string[] | undefined> {
  try {
    const { root, extended = [] } = await readProject(file);
    return extended.map((each) => join(root, each.file));
  } catch (error) {
    if (error instanceof Failure || error instanceof ProjectProblems) return undefined;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | "unreadable"> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const isGone = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
    return isGone ? [] : "unreadable";
  }
}

/** A calendar that two projects would publish. Absolute paths. */
export interface SharedCalendar {
  readonly calendar: string;
  /** The folder of the other project. */
  readonly other: string;
}

/**
 * For each plancast.yaml: a calendar of the project that another project has, too. Only a project inside another one
 * can share calendars with it, so this does not read the others.
 * @param files absolute paths of every plancast.yaml
 */
export async function findSharedCalendars(
  files: readonly string[],
): Promise<ReadonlyMap<string, SharedCalendar>> {
  const shared = new Map<string, SharedCalendar>();
  for (const outer of files) {
    const inners = files.filter((file) => file.startsWith(dirname(outer) + sep) && file !== outer);
    const calendars = inners.length === 0 ? new Set<string>() : await calendarsOf(outer);
    for (const inner of calendars.size === 0 ? [] : inners) {
      const calendar = [...(await calendarsOf(inner))].find((each) => calendars.has(each));
      if (calendar === undefined) continue;
      shared.set(outer, { calendar, other: dirname(inner) });
      shared.set(inner, { calendar, other: dirname(outer) });
    }
  }
  return shared;
}

/** Empty if the project is broken: the run of that project says why. */
async function calendarsOf(file: string): Promise<ReadonlySet<string>> {
  try {
    const { root, config } = await readProject(file);
    const { files } = await findCalendars(root, config.calendars);
    return new Set(files.map((name) => join(root, name)));
  } catch (error) {
    if (error instanceof Failure || error instanceof ProjectProblems) return new Set();
    throw error;
  }
}
