/** Finds the calendars of a project, by the patterns of `calendars:`. */

import type { Dirent } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { callbackify } from "node:util";
import { type FileSystemAdapter, escapePath, glob, globSync, isDynamicPattern } from "tinyglobby";
import { lstat, readdir, realpath, stat } from "../disk/machine.ts";
import { isWithin, statsOf } from "../disk/place.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type CalendarEntry, patternsOf } from "../settings/calendar-settings.ts";
import { PROJECT_FILE } from "./project.ts";
import { formatOf } from "./all-formats.ts";

/**
 * Never calendars: the contents of these folders, plancast.yaml, Excel's marker files for open workbooks, and files that
 * explain a folder.
 */
const IGNORED = [
  "**/node_modules/**",
  "**/.git/**",
  "**/.plancast/**",
  `**/${PROJECT_FILE}`,
  "**/~$*",
  "**/{README,Readme,readme}.md",
];

export interface FoundCalendars {
  /** Relative to the root, with `/`, sorted. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  /** The entries that match a file, in their order. */
  readonly entriesOf: (file: string) => readonly CalendarEntry[];
}

/**
 * Finds the calendars that the entries name. `root` is absolute. Never follows a link. A link to a calendar, or to a
 * folder with calendars, is a problem, because skipping it would cancel their posts.
 */
export async function findCalendars(
  root: string,
  entries: readonly CalendarEntry[],
): Promise<FoundCalendars> {
  const patterns = entries.flatMap(patternsOf);
  const matched = (await matchFiles(root, patterns)).sort();
  const links = await findLinks(root, patterns, new Set(matched));
  const direct = matched.filter((file) => !links.some((link) => isAtOrBelow(file, link.file)));
  const files = direct.filter((file) => isWithin(root, join(root, file)));
  const outside = direct.filter((file) => !files.includes(file)).map(outsideProject);
  const nothing = files.length === 0 && outside.length === 0 && links.length === 0;
  const entriesOf = await entriesByFile(root, entries);
  const sheets = files.flatMap((file) => severalSheets(file, entriesOf(file)));
  return {
    files,
    problems: nothing
      ? [noCalendarsFound(patterns)]
      : [...links, ...outside, ...sheets, ...(await unusedFiles(root, entries))],
    entriesOf,
  };
}

/** The pattern that matches exactly this file. */
export function patternFor(file: string): string {
  return escapePath(file);
}

const GLOB_OPTIONS = { ignore: IGNORED, expandDirectories: false, onlyFiles: true };

/**
 * Everything that matches and is not a folder, including links and unreadable files. Throws a Failure for a folder that
 * cannot be read: it may contain calendars, and without their rows, their posts would be cancelled.
 */
async function matchFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  // The library leaves out folders that cannot be read.
  const unread: unknown[] = [];
  const readFolder = callbackify(async (path: string, options: FolderOptions) =>
    folderEntries(path, options).catch((error: unknown) => {
      if (!["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) unread.push(error);
      throw error;
    }),
  );
  // The library calls readdir only in this way; its type allows others.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fs = { readdir: readFolder } as unknown as FileSystemAdapter;
  const found = await glob([...patterns], { ...GLOB_OPTIONS, cwd: root, fs });
  if (unread.length === 0) return found;
  throw new Failure(
    "disk/unreadable",
    `plancast cannot read a folder that may contain calendars: ${reasonOf(unread[0])}.`,
    "Fix its permissions. Or set `calendars:` in plancast.yaml to patterns that do not include the folder.",
  );
}

/** The properties of an entry that the library reads. */
type FolderEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

function folderEntry(name: string, isFolder: boolean): FolderEntry {
  return { name, isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false };
}

interface FolderOptions {
  readonly withFileTypes: true;
}

/** Like `readdir`, but reports everything except a folder as a file. */
async function folderEntries(path: string, options: FolderOptions): Promise<readonly FolderEntry[]> {
  return (await readdir(path, options)).map((each) => folderEntry(each.name, each.isDirectory()));
}

/** Whether patterns match a file, which need not exist. Tested on a virtual file system with only this file. */
export function matchesFile(patterns: readonly string[], file: string): boolean {
  const parts = file.split("/");
  const root = resolve("/");
  const readdirSync = (folder: string): readonly FolderEntry[] => {
    const above = relative(root, folder).split(sep).filter(Boolean);
    const name = parts[above.length];
    if (name === undefined || above.some((each, index) => each !== parts[index])) return [];
    return [folderEntry(name, above.length < parts.length - 1)];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library calls it in just this way
  const fs = { readdirSync } as unknown as FileSystemAdapter;
  return globSync([...patterns], { ...GLOB_OPTIONS, cwd: root, fs }).length > 0;
}

function isAtOrBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

async function entriesByFile(
  root: string,
  entries: readonly CalendarEntry[],
): Promise<FoundCalendars["entriesOf"]> {
  const named = await Promise.all(
    entries.map(async (entry) => ({ entry, names: new Set(await matchFiles(root, patternsOf(entry))) })),
  );
  return (file) => named.filter(({ names }) => names.has(file)).map(({ entry }) => entry);
}

/** Problems for the links that are calendars, or may hold some. */
async function findLinks(
  root: string,
  patterns: readonly string[],
  matched: ReadonlySet<string>,
): Promise<readonly FileProblem[]> {
  const realRoot = await realpath(root);
  const onTheWay = await matchFiles(root, [...patterns, ...patterns.flatMap(foldersOnTheWay)]);
  const problems = await Promise.all(
    onTheWay.sort().map(async (file) => {
      const path = join(root, file);
      if (!(await lstat(path)).isSymbolicLink()) return [];
      const target = await realpath(path).catch(() => undefined);
      if (target === undefined) return [linkedCalendar(file)];
      const isFolder = (await stat(target)).isDirectory();
      if (!isFolder && !matched.has(file)) return [];
      if (!isWithin(realRoot, target)) return [outsideProject(file)];
      const isHolding = matched.has(file) || (await mayHoldCalendars(target, file, patterns));
      return isHolding ? [linkedCalendar(file)] : [];
    }),
  );
  return problems.flat();
}

/** The named files, relative to the root, that links lead to. */
export async function linkedAmong(root: string, files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const names = file.split("/");
      const above = names.map((_name, index) => join(root, ...names.slice(0, index + 1)));
      const stats = await Promise.all(above.map(statsOf));
      return stats.some((each) => each?.isSymbolicLink() === true);
    }),
  );
  return files.filter((_file, index) => found[index]);
}

/**
 * Patterns of the folders on the way of a pattern, such as `c` and `c/**` for `c/**` + `/*.csv`. If the pattern cannot
 * be split, matches any folder.
 */
function foldersOnTheWay(pattern: string): readonly string[] {
  if (pattern.startsWith("!")) return [];
  const names = pattern.split("/").slice(0, -1);
  const plain = names.findIndex((name) => /[{}()[\]\\]/.test(name));
  const known = plain === -1 ? names : names.slice(0, plain);
  const folders = known.map((_name, index) => known.slice(0, index + 1).join("/"));
  return plain === -1 ? folders : [...folders, [...known, "**"].join("/")];
}

/**
 * Whether a linked folder holds anything that could be a calendar. Links in it are not followed. Markdown files are often
 * notes, so they count only if a pattern matches them.
 * @param link path of the link from the root, with `/`
 */
async function mayHoldCalendars(folder: string, link: string, patterns: readonly string[]): Promise<boolean> {
  const names = await matchFiles(folder, ["**"]);
  const may = await Promise.all(
    names.map(async (name) => {
      if ((await lstat(join(folder, name))).isSymbolicLink()) return true;
      if (formatOf(name) === undefined) return false;
      return !/\.md$/i.test(name) || matchesFile(patterns, `${link}/${name}`);
    }),
  );
  return may.includes(true);
}

/**
 * The entries that read a file. plancast reads the file once for each entry that names different sheets. All other
 * entries apply each time.
 */
export function readingsOf(entries: readonly CalendarEntry[]): readonly (readonly CalendarEntry[])[] {
  const sheets = new Set(entries.flatMap((entry) => sheetsMark(entry) ?? []));
  if (sheets.size < 2) return [entries];
  return [...sheets].map((mark) => entries.filter((entry) => (sheetsMark(entry) ?? mark) === mark));
}

function sheetsMark(entry: CalendarEntry): string | undefined {
  return typeof entry === "string" || entry.sheet === undefined
    ? undefined
    : JSON.stringify([entry.sheet].flat());
}

/** Two entries must not read the same sheet, because its rows would be there twice. */
function severalSheets(file: string, entries: readonly CalendarEntry[]): Problem[] {
  const marks = new Set(entries.flatMap((entry) => sheetsMark(entry) ?? []));
  const named = [...marks].flatMap((mark): string[] => JSON.parse(mark));
  const twice = named.find(
    (name, index) => named.indexOf(name) !== index || (name === "*" && named.length > 1),
  );
  if (twice === undefined) return [];
  const message = `Several entries under \`calendars:\` read the sheet ${JSON.stringify(twice)} of this file. Name each sheet in one entry.`;
  return [problem("sheet/unclear", message, { file })];
}

/** Entries with settings for a file that does not exist. A pattern may match nothing: it is for files to come. */
async function unusedFiles(root: string, entries: readonly CalendarEntry[]): Promise<Problem[]> {
  const names = entries
    .flatMap((entry) => (typeof entry === "string" ? [] : patternsOf(entry)))
    .filter((pattern) => !pattern.startsWith("!") && !isDynamicPattern(pattern));
  const unused = await Promise.all(
    [...new Set(names)].map(async (name) => ((await matchFiles(root, [name])).length === 0 ? [name] : [])),
  );
  return unused.flat().map((name) => {
    const message = `There is no file \`${name}\`, which has settings under \`calendars:\` in plancast.yaml. Correct the name after \`files:\`, or remove the entry.`;
    return problem("calendar/none-found", message);
  });
}

function outsideProject(file: string): FileProblem {
  const message =
    "This calendar is a link to a file outside the project. Copy the calendar itself into the project.";
  return { ...problem("disk/outside", message, { file }), file };
}

type FileProblem = Problem & { readonly file: string };

export function linkedCalendar(file: string): FileProblem {
  const message =
    "This is a symbolic link, and plancast does not read calendars through links. Replace it with the file or folder itself.";
  return { ...problem("disk/linked", message, { file }), file };
}

function noCalendarsFound(patterns: readonly string[]): Problem {
  const list = patterns.map((pattern) => `\`${pattern}\``).join(", ");
  const message = `No file matches ${list}. Add a calendar, or correct \`calendars:\` in plancast.yaml.`;
  return problem("calendar/none-found", message);
}
