/**
 * Files and folders at a Place: read, written, moved and removed without following a link. What is written is on the disk
 * when the write resolves.
 */

import { randomUUID } from "node:crypto";
import { type Stats, type WriteStream, constants, createWriteStream } from "node:fs";
import {
  type FileHandle,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../model/failure.ts";
import { Place, isWithin, statsOf } from "./place.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;

/** Windows knows neither: there, a link cannot be made without a privilege, and pipes have no place among files. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens what is there. */
const READ = O_RDONLY;
/** Makes a file; fails where anything has its name. */
const CREATE = O_WRONLY | O_CREAT | O_EXCL;
/** Opens a file, or makes it. */
export const APPEND = O_WRONLY | O_CREAT | O_APPEND;

/** Opens a regular file. Throws for a link, and for a pipe or a device, which it does not wait for. */
export async function openRegular({ path }: Place, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(path, flags | NO_FOLLOW, mode);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Largest file that is read whole, bytes. A longer text is more than this program can hold. */
const MAX_BYTES = 512 * 1_048_576;

/** The bytes of a regular file. Throws the system's error where there is none. */
export async function readRegular(place: Place): Promise<Buffer> {
  const file = await openRegular(place, READ);
  try {
    if ((await file.stat()).size > MAX_BYTES) throw new Error(`${place.path} is larger than 512 MB`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Opens a regular file for a reader that closes it. */
export function openForReading(place: Place): Promise<FileHandle> {
  return openRegular(place, READ);
}

/** The folder that a place is in. */
export function folderOf({ path }: Place): Place {
  return Place.checked(dirname(path));
}

/** Something that is there; undefined where nothing is. A link is not followed. */
export function statsAt({ path }: Place): Promise<Stats | undefined> {
  return statsOf(path);
}

interface AtomicOptions {
  /** Folder for the file while it is not whole. Default: its own. */
  readonly scratch?: Place;
  /** Permissions. Without them a file that is there keeps its own and, as far as this user may set them, its owner and group. */
  readonly mode?: number;
}

/**
 * Replaces a file whole: a reader, also after a crash, finds the old text or the new one. The new text is on the
 * disk when this resolves. A crash can leave a part of it in `scratch`, under a name that ends in `.part`.
 * Throws when something else than a file has the name: replacing a device such as /dev/null would break the machine.
 */
export async function writeAtomic(
  place: Place,
  contents: string | Uint8Array,
  { scratch = folderOf(place), mode }: AtomicOptions = {},
): Promise<void> {
  await makeFolder(scratch);
  await makeFolder(folderOf(place));
  const there = await statsAt(place);
  if (there !== undefined && !there.isFile()) throw new Error(`${place.path} is not a file`);
  const part = partOf(place, scratch);
  try {
    await writePart(part, contents, there, mode);
    await movePart(part, place, contents, there, mode);
  } catch (error) {
    await removeFile(part).catch(() => undefined);
    throw error;
  }
  await syncFolder(folderOf(place));
}

/** A name that nobody can foresee, for a file that is not whole yet. */
function partOf({ path }: Place, scratch: Place): Place {
  return scratch.in(`${basename(path)}.${randomUUID()}.part`);
}

async function writePart(
  part: Place,
  contents: string | Uint8Array,
  there: Stats | undefined,
  mode: number | undefined,
): Promise<void> {
  const file = await openRegular(part, CREATE, mode);
  try {
    await file.writeFile(contents);
    if (mode !== undefined) await file.chmod(mode);
    else if (there !== undefined) await copyPermissions(file, there);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Best effort: not all file systems have permissions, and only the superuser may give a file to somebody else. */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  // The owner first: a new one clears bits of the mode.
  await file.chown(uid, gid).catch(() => file.chown(-1, gid).catch(() => undefined));
  await file.chmod(mode & 0o7777).catch(() => undefined);
}

async function movePart(
  part: Place,
  place: Place,
  contents: string | Uint8Array,
  there: Stats | undefined,
  mode: number | undefined,
): Promise<void> {
  try {
    await move(part, place);
  } catch (error) {
    // The scratch folder is on another file system than the file.
    if (errorCode(error) !== "EXDEV") throw error;
    const beside = partOf(place, folderOf(place));
    await writePart(beside, contents, there, mode);
    await move(beside, place);
    await removeFile(part);
  }
}

/**
 * Makes a file whole, or not at all. False where something has its name already.
 * @param scratch folder for the file while it is not whole
 */
export async function createWhole(
  place: Place,
  contents: string | Uint8Array,
  scratch = folderOf(place),
): Promise<boolean> {
  await makeFolder(scratch);
  const part = partOf(place, scratch);
  try {
    await writePart(part, contents, undefined, undefined);
    return (await linkNew(part, place)) ?? (await createInPlace(place, contents));
  } finally {
    await removeFile(part);
  }
}

/** Undefined for a file system without hard links. */
async function linkNew(part: Place, place: Place): Promise<boolean | undefined> {
  try {
    await link(part.path, place.path);
    return true;
  } catch (error) {
    return errorCode(error) === "EEXIST" ? false : undefined;
  }
}

/** The file may be seen before it is whole. */
async function createInPlace(place: Place, contents: string | Uint8Array): Promise<boolean> {
  try {
    await writePart(place, contents, undefined, undefined);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    await removeFile(place);
    throw error;
  }
}

/** Begins a new file, for what arrives in pieces. Throws where something has its name. */
export function openNew(place: Place): Promise<FileHandle> {
  return openRegular(place, CREATE);
}

/** The same as a stream, which puts the file on the disk when it ends. */
export function streamToNew({ path }: Place): WriteStream {
  return createWriteStream(path, { flags: "wx", flush: true });
}

/** Gives a file a second name, or copies it where the file system knows no second names. */
export async function linkOrCopy(from: Place, to: Place): Promise<void> {
  await link(from.path, to.path).catch(() => copyFile(from.path, to.path, constants.COPYFILE_EXCL));
}

/** Makes a folder and those above it, each entry on the disk before this resolves. */
export async function makeFolder(place: Place): Promise<void> {
  const made = await mkdir(place.path, { recursive: true });
  if (made !== undefined) await syncPath(dirname(made));
}

/** The names in a folder. */
export function namesIn({ path }: Place): Promise<string[]> {
  return readdir(path);
}

/** Puts a folder's entries (new names, renames) on the disk. Windows cannot sync a folder and need not. */
export function syncFolder({ path }: Place): Promise<void> {
  return syncPath(path);
}

async function syncPath(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Gives a file another name, and replaces what has that name. Neither way leads through a link. */
export async function move(from: Place, to: Place): Promise<void> {
  await Promise.all([from, to].map(confirmPlace));
  await rename(from.path, to.path);
}

/** Removes a file; nothing happens where there is none. */
export async function removeFile(place: Place): Promise<void> {
  try {
    await confirmPlace(place);
    await unlink(place.path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/**
 * Removes a folder with all that is in it; nothing happens where there is none.
 * @param within the folder that must contain it
 */
export async function removeFolder(place: Place, within: Place): Promise<void> {
  const there = await statsAt(place);
  if (there === undefined) return;
  await confirmPlace(place);
  if (place.path === within.path || !isWithin(await realpath(within.path), place.path))
    throw new Error(`${place.path} is not in ${within.path}`);
  // Links in it are removed, and what they lead to stays.
  await rm(place.path, { recursive: true, force: true });
}

/** Throws where a place is not what it was any more: its folder has become a link since. */
async function confirmPlace({ path }: Place): Promise<void> {
  const folder = dirname(path);
  if ((await realpath(folder)) !== folder) throw new Error(`${folder} is reached through a symbolic link`);
}

/** What was begun so long ago is not going on any more, ms. */
const ABANDONED_MS = 86_400_000;

/**
 * Removes what killed processes have left of files that were not whole yet.
 * @param now ms since the epoch
 */
export async function removeAbandoned(
  folder: Place,
  now: number,
  isPart = (name: string): boolean => name.endsWith(".part"),
): Promise<void> {
  const names = (await namesIn(folder)).filter(isPart);
  await Promise.all(
    names.map(async (name) => {
      const part = folder.in(name);
      const left = await statsAt(part);
      if (left?.isFile() === true && now - left.mtimeMs > ABANDONED_MS) await removeFile(part);
    }),
  );
}

export interface TemporaryFolder {
  readonly place: Place;
  /** With all that is in it. */
  remove(): Promise<void>;
}

/** Makes an empty folder that only this user can look into. @param prefix of its name, which ends at random */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const parent = await realpath(tmpdir());
  const place = Place.checked(await mkdtemp(join(parent, prefix)));
  return { place, remove: () => removeFolder(place, Place.checked(parent)) };
}
