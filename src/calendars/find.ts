/** Finds the calendars of a project, by the patterns of `calendars:`. */

import type { Dirent } from "node:fs";
import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type FileSystemAdapter, escapePath, glob, globSync } from "tinyglobby";
import { type Problem, problem } from "../model/problem.ts";
import { groupBy } from "../model/group.ts";
import { type CalendarEntry, patternsOf } from "../settings/calendar-settings.ts";
import { PROJECT_FILE } from "./project.ts";

/** No calendars: what such folders hold, project files, and the files with which Excel marks one that is open. */
const IGNORED = ["**/node_modules/**", "**/.git/**", "**/.plancast/**", `**/${PROJECT_FILE}`, "**/~$*"];

export interface FoundCalendars {
  /** Relative to the root, with `/`, sorted. A file that two names lead to is there once. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  /** The entries that name a file, in their order. */
  readonly entriesOf: (file: string) => readonly CalendarEntry[];
}

/**
 * Finds the calendars that the entries name. `root` is absolute. A file that a link leads to is taken when it
 * lies within the project, and refused with a problem when it does not.
 */
export async function findCalendars(
  root: string,
  entries: readonly CalendarEntry[],
): Promise<FoundCalendars> {
  const patterns = entries.flatMap(patternsOf);
  const matched = await matchFiles(root, patterns);
  const realRoot = await realpath(root);
  const places = await Promise.all(
    matched.sort().map(async (file) => ({ file, real: await realFile(realRoot, root, file) })),
  );
  const inside = places.flatMap(({ file, real }) => (typeof real === "string" ? [{ file, real }] : []));
  const files = uniqueFiles(inside);
  const outside = places.filter(({ real }) => real === OUTSIDE).map(({ file }) => outsideProject(file));
  const nothing = files.length === 0 && outside.length === 0;
  const entriesOf = await entriesByFile(root, entries, inside);
  const sheets = files.flatMap((file) => severalSheets(file, entriesOf(file)));
  return { files, problems: nothing ? [noCalendarsFound(patterns)] : [...outside, ...sheets], entriesOf };
}

/** The pattern that matches this file and no other. */
export function patternFor(file: string): string {
  return escapePath(file);
}

const GLOB_OPTIONS = { ignore: IGNORED, expandDirectories: false, onlyFiles: true };

async function matchFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  return glob([...patterns], { ...GLOB_OPTIONS, cwd: root });
}

/** As much of an entry as the library asks for. */
type FolderEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** Whether patterns match a file, which need not exist: they are tried in a file system that holds only this one. */
export function matchesFile(patterns: readonly string[], file: string): boolean {
  const parts = file.split("/");
  const root = resolve("/");
  const readdirSync = (folder: string): readonly FolderEntry[] => {
    const above = relative(root, folder).split(sep).filter(Boolean);
    const name = parts[above.length];
    if (name === undefined || above.some((each, index) => each !== parts[index])) return [];
    const isFile = above.length === parts.length - 1;
    return [{ name, isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false }];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library calls it in just this way
  const fs = { readdirSync } as unknown as FileSystemAdapter;
  return globSync([...patterns], { ...GLOB_OPTIONS, cwd: root, fs }).length > 0;
}

/** A file that has two names is named by an entry that matches either. */
async function entriesByFile(
  root: string,
  entries: readonly CalendarEntry[],
  places: readonly Place[],
): Promise<FoundCalendars["entriesOf"]> {
  const named = await Promise.all(
    entries.map(async (entry) => ({ entry, names: new Set(await matchFiles(root, patternsOf(entry))) })),
  );
  const realOf = new Map(places.map(({ file, real }) => [file, real]));
  const placesOf = groupBy(places, ({ real }) => real);
  return (file) => {
    const same = placesOf.get(realOf.get(file) ?? "") ?? [];
    return named.filter((each) => same.some((place) => each.names.has(place.file))).map(({ entry }) => entry);
  };
}

interface Place {
  readonly file: string;
  /** Its own name relative to the root, links resolved. */
  readonly real: string;
}

const OUTSIDE = Symbol("outside");

/**
 * The file's own name relative to the root, links resolved. A file that cannot be looked at keeps its name:
 * whoever reads it says why.
 */
async function realFile(realRoot: string, root: string, file: string): Promise<string | typeof OUTSIDE> {
  const path = await realpath(join(root, file)).catch(() => join(realRoot, file));
  const real = relative(realRoot, path);
  const isOutside = real === ".." || real.startsWith(`..${sep}`) || isAbsolute(real);
  return isOutside ? OUTSIDE : real.split(sep).join("/");
}

/** One name for each file: its own, or else the first. */
function uniqueFiles(places: readonly Place[]): string[] {
  const names = new Map<string, string>();
  for (const { file, real } of places) {
    if (file === real || !names.has(real)) names.set(real, file);
  }
  return [...names.values()].sort();
}

/** The last entry would count alone, and what the other sheet has scheduled would be cancelled. */
function severalSheets(file: string, entries: readonly CalendarEntry[]): Problem[] {
  const sheets = new Set(entries.flatMap((entry) => (typeof entry === "string" ? [] : (entry.sheet ?? []))));
  if (sheets.size < 2) return [];
  const names = [...sheets].map((each) => JSON.stringify(each)).join(" and ");
  const message =
    `Entries of \`calendars:\` name the sheets ${names} of this file, and one file is one calendar. ` +
    "Save each sheet as a workbook of its own; then each can have its entry.";
  return [problem("sheet/unclear", message, { file })];
}

function outsideProject(file: string): Problem {
  const message = "A link leads from here out of the project. Put the calendar itself into the project.";
  return problem("calendar/outside-project", message, { file });
}

function noCalendarsFound(patterns: readonly string[]): Problem {
  const list = patterns.map((pattern) => `\`${pattern}\``).join(", ");
  const message = `No file matches ${list}. Add a calendar, or correct \`calendars:\` in the project file.`;
  return problem("calendar/none-found", message);
}
