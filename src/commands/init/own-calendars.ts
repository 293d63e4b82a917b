/** The calendars that the user named for a new project: its files, files from elsewhere, and sheets at addresses. */

import type { Stats } from "node:fs";
import { basename, dirname, parse, resolve } from "node:path";
import { CALENDAR_GLOB, endOf, formatOf } from "../../calendars/all-formats.ts";
import { configSchema } from "../../calendars/check-project.ts";
import { findProjects } from "../../calendars/find-projects.ts";
import { findCalendars, patternFor } from "../../calendars/find.ts";
import { readFile } from "../../disk/machine.ts";
import { isWithin, statsOf } from "../../disk/place.ts";
import { fileNameInAddress, parseUrl } from "../../model/address.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { SheetCopy } from "../../settings/calendar-settings.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import { sheetBytes, withSources } from "../project/sheets.ts";
import type { Run } from "../shell/command.ts";
import type { FileToWrite } from "./files.ts";
import { nameIn } from "./write-project.ts";

/** The working folder can be a whole home folder. */
const MAX_FOLDERS = 1_000;

/** The calendars that the user named, from the folder of the project. */
export interface OwnCalendars {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Patterns of its calendars, relative to the root, with `/`, and copies of sheets. */
  readonly entries: readonly (string | SheetCopy)[];
  /** Calendars from elsewhere, which become files of the project. */
  readonly copies: readonly ForeignCalendar[];
}

interface ForeignCalendar extends FileToWrite {
  readonly contents: Uint8Array;
  /** The address of a sheet. */
  readonly from?: string;
}

/** Undefined without calendars: then the project starts with a sample. */
export async function ownCalendars(run: Run<{ readonly path: string[] }>): Promise<OwnCalendars | undefined> {
  const { cwd } = run.shell;
  const names = run.flags.path;
  const addresses = names.filter((name) => ADDRESS.test(name));
  const paths = await Promise.all(
    names
      .filter((name) => !addresses.includes(name))
      .map(async (name) => ({ path: resolve(cwd, name), stats: await statsOf(resolve(cwd, name)) })),
  );
  const [first] = paths;
  if (first === undefined && addresses.length === 0) return undefined;
  if (first !== undefined && names.length === 1 && isFolder(first)) {
    const found = first.stats === undefined ? [] : await tablesIn(first.path);
    return found.length === 0 ? undefined : { root: first.path, entries: found.map(patternFor), copies: [] };
  }
  const root = await projectFolderOf(paths, cwd);
  const patterns: string[] = [];
  const copies: ForeignCalendar[] = await fetchedSheets(addresses, run);
  const sheets = copies.map(({ path: file, from = "" }) => ({ file, from }));
  for (const each of paths) {
    const name = nameIn(root, each.path);
    if (each.stats === undefined)
      throw unreadable(nameIn(cwd, each.path), "there is no file or folder with this name");
    if (isFolder(each))
      patterns.push(...(await tablesIn(each.path)).map((file) => patternFor(`${name}/${file}`)));
    else if (isWithin(root, each.path)) patterns.push(patternFor(name));
    else {
      const copy = `calendars/${basename(each.path)}`;
      copies.push({ path: copy, contents: await readForeign(each.path), extendsExisting: false });
      patterns.push(patternFor(copy));
    }
  }
  return { root, entries: [...sheets, ...new Set(patterns)], copies };
}

/**
 * The folder of a client, if all files are in it: `clients/acme` for `clients/acme/plan.xlsx`. Beside other projects, one
 * folder is enough. Otherwise, the working folder.
 */
async function projectFolderOf(paths: readonly NamedPath[], cwd: string): Promise<string> {
  const folders = new Set(paths.map(({ path }) => dirname(path)));
  const [folder] = folders;
  if (folder === undefined || folders.size > 1 || !isWithin(cwd, folder) || paths.some(isFolder)) return cwd;
  const names = nameIn(cwd, folder).split("/");
  if (names[0] === "" || names.includes("calendars")) return cwd;
  if (names.length > 1) return folder;
  return (await findProjects(cwd, MAX_FOLDERS)).some((file) => dirname(file) !== folder) ? folder : cwd;
}

const ADDRESS = /^\w+:\/\//;

/** Sheets at addresses, each with the name of its copy. Throws a Failure for one that cannot be had. */
async function fetchedSheets(addresses: readonly string[], run: Run): Promise<ForeignCalendar[]> {
  if (addresses.length === 0) return [];
  const copies: ForeignCalendar[] = [];
  const { media } = configSchema.parse({});
  await withSources(run, { allows: () => false, timeout: media.timeout }, async (access) => {
    for (const from of new Set(addresses)) {
      const file = copyName(from, new Set(copies.map(({ path }) => path)));
      const fetched = await sheetBytes({ file, from }, access);
      if ("message" in fetched) throw new Failure("fetch/source", fetched.message);
      copies.push({ path: file, contents: fetched.bytes, extendsExisting: false, from });
    }
  });
  return copies;
}

/**
 * `calendars/plan.xlsx`, or the name of the file in the address, with a number if it is taken. Throws a Failure for any other
 * text.
 */
function copyName(from: string, taken: ReadonlySet<string>): string {
  const address = parseUrl(from);
  if (address?.protocol !== "https:")
    throw new Failure("usage/arguments", `${from} is not an address that begins with https://.`);
  const { endings } = sourceOf(address);
  const named = fileNameInAddress(from)?.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-") ?? "";
  const isNamed = endings.includes(endOf(named)) && !named.startsWith(".");
  const { name, ext } = parse(isNamed ? named : `plan.${endings[0] ?? "xlsx"}`);
  for (let number = 1; ; number += 1) {
    const file = `calendars/${name}${number === 1 ? "" : `-${number}`}${ext}`;
    if (!taken.has(file)) return file;
  }
}

interface NamedPath {
  /** Absolute. */
  readonly path: string;
  readonly stats: Stats | undefined;
}

/** An existing folder, or a name without a calendar's extension. */
function isFolder({ path, stats }: NamedPath): boolean {
  return stats?.isDirectory() ?? formatOf(path) === undefined;
}

/** The tables in a folder. Other files, such as notes in Markdown, are calendars only if somebody names them. */
async function tablesIn(folder: string): Promise<readonly string[]> {
  const { files } = await findCalendars(folder, [CALENDAR_GLOB.replace("calendars/", "")]);
  return files.filter((file) => formatOf(file)?.isTable === true);
}

/** A calendar outside of the project: it is copied. */
async function readForeign(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, reasonOf(error));
  }
}

function unreadable(name: string, why: string): Failure {
  return new Failure(
    "disk/unreadable",
    `${name} cannot be read: ${why}`,
    "Check the name, and put a name with blanks in quotes.",
  );
}
