/**
 * Files that a command writes. A calendar that is edited in place is read together with its bytes, and saved if nobody
 * has changed it since. A whole new calendar replaces a file only with --force; a plan, a page or a feed replaces only
 * what an earlier run wrote.
 */

import { join, resolve } from "node:path";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import { type ReadContents, readContents } from "../../calendars/read-calendar.ts";
import { type WriteFormatName, FORMATS, writeFormatOf } from "../../calendars/all-formats.ts";
import {
  createWhole,
  makeFolder,
  readRegular,
  replaceUnchanged,
  statsAt,
  tryFolder,
  writeTyped,
} from "../../disk/files.ts";
import { readFile } from "../../disk/machine.ts";
import { folderOf } from "../../disk/open-folder.ts";
import { placeInProject, placeTyped } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { type Only, filterColumns } from "../../model/row-filter.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import type { Shell } from "../shell/shell.ts";
import type { NamedFile } from "./project.ts";

/**
 * Reads selected calendars again, together with their bytes. Throws a Failure if a file cannot be read.
 * @param only limits this run, besides `only:` in plancast.yaml
 * @param kept further columns whose cells are kept even if they are not fields, by folded name
 */
export async function readCalendarFiles(
  project: Pick<Project, "root">,
  calendars: readonly Pick<Calendar, "file" | "settings">[],
  only: Only | undefined,
  {
    kept = [],
    read = readContents,
  }: { readonly kept?: readonly string[]; readonly read?: ReadContents } = {},
): Promise<CalendarFile[]> {
  const files: CalendarFile[] = [];
  for (const { file, settings } of calendars) {
    const options = { ...settings, keep: [...filterColumns([settings.only ?? {}, only ?? {}]), ...kept] };
    // One after the other, because a calendar may be large.
    const bytes = await bytesOf(project, file);
    const calendar = { ...(await read(file, bytes, options)), settings };
    files.push({ calendar, bytes, options, read });
  }
  return files;
}

/** The bytes of a calendar. Throws a Failure if it cannot be read. */
export async function bytesOf({ root }: Pick<Project, "root">, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, file));
  } catch (error) {
    throw new Failure(
      "disk/unreadable",
      `${file} cannot be read: ${reasonOf(error)}`,
      "Check its permissions.",
    );
  }
}

/** Faulty cells: only their rows are left out. */
const ROW_ERRORS: ReadonlySet<ProblemCode> = new Set(["sheet/formula", "sheet/merged-cells"]);

/** Whether plancast understood the whole file, so that single rows can be edited. */
export function isUnderstood({ calendar: { problems } }: CalendarFile): boolean {
  return !hasErrors(problems.filter(({ code }) => !ROW_ERRORS.has(code)));
}

/**
 * Replaces an edited calendar. Returns false if it has changed since it was read. Throws a Failure if it cannot be written.
 * @param whatNow what to do after the cause of the failure is fixed
 */
export async function saveCalendarFile(
  { root, state }: Pick<Project, "root" | "state">,
  { calendar, bytes }: { readonly calendar: Pick<Calendar, "file">; readonly bytes: Uint8Array },
  contents: Uint8Array,
  whatNow: string,
): Promise<boolean> {
  try {
    return await replaceUnchanged(await placeInProject(root, calendar.file), bytes, contents, state);
  } catch (error) {
    throw new Failure(
      "disk/not-writable",
      `${calendar.file} cannot be written: ${reasonOf(error)}`,
      `Fix its permissions or free some space, then ${whatNow}`,
    );
  }
}

/**
 * The format to write: from --to, otherwise from the file's name, otherwise the default. Throws a Failure if the file
 * would not be read in that format.
 * @param to value of --to
 * @param out value of --out
 */
export function outputFormat(
  to: WriteFormatName | undefined,
  out: string | undefined,
  usual?: WriteFormatName,
): WriteFormatName {
  const named = out === undefined ? undefined : writeFormatOf(out);
  const wanted = to ?? named ?? (out === undefined ? usual : undefined);
  if (wanted === undefined) {
    throw new Failure(
      "usage/arguments",
      out === undefined ? "No format is given." : `The name "${out}" does not give a format.`,
      "Add --to csv, --to yaml or --to xlsx, or name a file with that ending with --out.",
    );
  }
  if (out !== undefined && named !== wanted) {
    throw new Failure(
      "usage/arguments",
      `"${out}" is not the name of a ${wanted} file, so plancast could not read it again.`,
      `Give --out a name that ends in .${FORMATS[wanted].extensions[0]}.`,
    );
  }
  return wanted;
}

/**
 * Throws a Failure if a calendar or a feed would go into the log of a CI job, which executes some lines as commands.
 * @param example of a file name
 */
export function refuseLog({ env }: Pick<Shell, "env">, example: string): void {
  if (!isCi(env)) return;
  throw new Failure(
    "ci/stdout",
    "In a CI job, plancast writes calendars and feeds only to files, because a log treats some lines as commands.",
    `Name a file, such as --out ${example}.`,
  );
}

interface OutputFile extends Pick<NamedFile, "path" | "name"> {
  /** The project that may contain the file. */
  readonly project: Project;
  readonly contents: string | Uint8Array;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/** Writes a whole calendar, and creates its folder if needed. Throws a Failure if the file exists. */
export async function writeNewFile({ project, path, name, contents, force }: OutputFile): Promise<void> {
  const typed = await placeTyped(path, project.root);
  try {
    await makeFolder(folderOf(typed.place));
    if (force) await writeTyped(typed, contents);
    else if (!(await createWhole(typed.place, contents))) throw alreadyExists(name);
  } catch (error) {
    throw error instanceof Failure ? error : notWritable(name, error);
  }
}

/** Throws the Failure of `writeNewFile` early, before there is anything to write. */
export async function refuseExisting({ path, name }: NamedFile, project: Project): Promise<void> {
  const { place } = await placeTyped(path, project.root);
  if ((await statsAt(place)) !== undefined) throw alreadyExists(name);
}

/** Throws the Failure of `writeNewFile` if the file's folder is not writable; creates it if needed. */
export async function checkWritable({ path, name }: NamedFile, project: Project): Promise<void> {
  const { place } = await placeTyped(path, project.root);
  try {
    await tryFolder(place);
    if ((await statsAt(place))?.isDirectory() === true) throw new Error("it is a folder");
  } catch (error) {
    throw notWritable(name, error);
  }
}

/** Whether an earlier run wrote a file. Its first bytes show that. */
const GENERATED = {
  plan: /^\{\s*"version": \d+,\s*"hash": "sha256:/,
  page: /^<!doctype html>\s<html lang="en" data-kind="/,
  feed: /^BEGIN:VCALENDAR\s[\s\S]{0,80}PRODID:-\/\/plancast\/\//,
  month: /^\S+ \d{4} {2}times in /,
} as const;

/**
 * Writes a file that the user named. Replaces only what an earlier run wrote, because people may name a calendar by
 * mistake.
 */
export async function writeGenerated(
  path: string,
  text: string,
  kind: keyof typeof GENERATED,
  { project, shell }: { readonly project: Project; readonly shell: Pick<Shell, "cwd"> },
): Promise<void> {
  const typed = await placeTyped(resolve(shell.cwd, path), project.root);
  const there = await readRegular(typed.place).catch(() => undefined);
  if (there !== undefined && there.length > 0 && !GENERATED[kind].test(there.toString("utf8"))) {
    const message = `${path} already exists, and this command did not write it.`;
    throw new Failure("write/exists", message, `Name another file with --out, or remove ${path} first.`);
  }
  try {
    if ((await statsAt(folderOf(typed.place))) === undefined) throw new Error("its folder does not exist");
    await writeTyped(typed, text);
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(name: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${name} cannot be written: ${why}`,
    "Check its folder, its permissions and the free space on the disk, or name another file.",
  );
}

function alreadyExists(name: string): Failure {
  return new Failure(
    "write/exists",
    `${name} already exists.`,
    "Name another file with --out, or add --force to replace it.",
  );
}
