/** Finds the projects below a folder, for --all, and calendars that several of them would publish. */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Failure, ProjectProblems, errorCode } from "../model/failure.ts";
import { compareText } from "../model/text.ts";
import { findCalendars } from "./find.ts";
import { PROJECT_FILE, readProject } from "./project.ts";

/** Folders of tools, which may contain copies of projects. */
const NOT_SEARCHED = new Set(["node_modules", ".git", ".plancast"]);

/**
 * Absolute paths of every plancast.yaml in a folder and below it, sorted. Follows no links to folders. A folder that
 * cannot be read counts as a project, so that reading it says why. Nothing is skipped silently.
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

async function entriesOf(folder: string): Promise<readonly Dirent[] | "unreadable"> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const isGone = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
    return isGone ? [] : "unreadable";
  }
}

/** A calendar that two projects would publish. Absolute paths. */
interface SharedCalendar {
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
