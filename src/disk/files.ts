/**
 * Reads, writes, moves and removes files and folders at a Place, without following links. A write resolves when the
 * data is on the disk. Also writes files that the user or a runner named, which may be anywhere.
 */

import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Writable } from "node:stream";
import { once } from "../model/data.ts";
import { errorCode, reasonOf } from "../model/failure.ts";
import {
  access,
  appendFile,
  constants,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  newId,
  open,
  readdir,
  realpath,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
} from "./machine.ts";
import { atEntry, folderOf, inFolder } from "./open-folder.ts";
import { type TypedPlace, Place, isWithin, statsOf } from "./place.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;

/** Windows has neither: making a link needs a privilege there, and pipes are not files. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens an existing file. */
const READ = O_RDONLY;
/** Creates a file; fails if the name is taken. */
const CREATE = O_WRONLY | O_CREAT | O_EXCL;
/** Opens or creates a file. */
export const APPEND = O_WRONLY | O_CREAT | O_APPEND;

/** Opens a regular file. Throws for a link. Also throws for a pipe or a device, without waiting for it. */
export async function openRegular(place: Place, flags: number, mode?: number): Promise<FileHandle> {
  const file = await atEntry(place, (path) => open(path, flags | NO_FOLLOW, mode));
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${place.path} is not a file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Largest file that is read at once, in bytes. A longer text is more than this program can hold. */
const MAX_BYTES = 512 * 1_048_576;

/** The bytes of a regular file. Throws the system's error if there is none. */
export async function readRegular(place: Place): Promise<Buffer> {
  const file = await openRegular(place, READ);
  try {
    if ((await file.stat()).size > MAX_BYTES) throw new Error(`${place.path} is larger than 512 MB`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The text of a regular file; undefined if it cannot be read, also because its place cannot be found. */
export async function textOrNot(place: Place | Promise<Place>): Promise<string | undefined> {
  try {
    return (await readRegular(await place)).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Opens a regular file for a reader that closes it. */
export function openForReading(place: Place): Promise<FileHandle> {
  return openRegular(place, READ);
}

/** What has this name; undefined if nothing has. Does not follow links. */
export function statsAt({ path }: Place): Promise<Stats | undefined> {
  return statsOf(path);
}

interface AtomicOptions {
  /** Folder for the incomplete file. Default: the file's own. */
  readonly scratch?: Place;
  /** Permissions. Without them, an existing file keeps its own and, if this user may set them, its owner and group. */
  readonly mode?: number;
}

/**
 * Replaces a whole file: a reader, even after a crash, finds the old text or the new one. The new text is on the disk
 * when this resolves. A crash can leave a part of it in `scratch`, with a name that ends in `.part`. Throws if the name
 * belongs to anything but a file: replacing a device such as /dev/null would break the machine.
 */
export async function writeAtomic(
  place: Place,
  contents: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  await replaceIf(() => Promise.resolve(true), place, contents, options);
}

/** Replaces a file that still has the content `before`; otherwise returns false. `scratch` is as for `writeAtomic`. */
export async function replaceUnchanged(
  place: Place,
  before: Uint8Array,
  contents: Uint8Array,
  scratch: Place,
): Promise<boolean> {
  const isUnchanged = async (): Promise<boolean> => {
    const now = await readRegular(place).catch(() => undefined);
    return now?.equals(before) === true;
  };
  return Buffer.from(before).equals(contents)
    ? isUnchanged()
    : replaceIf(isUnchanged, place, contents, { scratch });
}

/** @param isWanted asked just before the file is replaced; its answer is returned */
async function replaceIf(
  isWanted: () => Promise<boolean>,
  place: Place,
  contents: string | Uint8Array,
  { scratch = folderOf(place), mode }: AtomicOptions,
): Promise<boolean> {
  await makeFolder(scratch);
  await makeFolder(folderOf(place));
  const there = await statsAt(place);
  if (there !== undefined && !there.isFile()) throw new Error(`${place.path} is not a file`);
  const part = partOf(place, scratch);
  try {
    await writePart(part, contents, there, mode);
    if (!(await isWanted())) {
      await removeFile(part);
      return false;
    }
    await movePart(part, place, contents, there, mode);
  } catch (error) {
    await removeFile(part).catch(() => undefined);
    throw error;
  }
  await syncFolder(folderOf(place));
  return true;
}

/** An unpredictable name for an incomplete file. */
function partOf({ path }: Place, scratch: Place): Place {
  return scratch.in(`${basename(path)}.${newId(path)}.part`);
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

/** Best effort: not all file systems have permissions, and only root may give a file to another user. */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  // The owner first, because a change of owner clears bits of the mode.
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
 * Creates a complete file, or nothing. Returns false if the name is taken.
 * @param scratch folder for the incomplete file
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
    await removeFile(part).catch(() => undefined);
  }
}

/** Errors of a disk that fails. Another way to create the file would fail, too, and leave a part of it. */
const DISK_FAILS = new Set(["EIO", "ENOSPC", "EDQUOT", "EROFS"]);

/** Undefined for a file system without hard links. */
async function linkNew(part: Place, place: Place): Promise<boolean | undefined> {
  try {
    await atEntry(part, (from) => atEntry(place, (to) => link(from, to)));
    return true;
  } catch (error) {
    if (DISK_FAILS.has(errorCode(error) ?? "")) throw error;
    return errorCode(error) === "EEXIST" ? false : undefined;
  }
}

/** Other processes may see the file before it is complete. */
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

/** Creates a file to write in pieces. Throws if the name is taken. */
export function openNew(place: Place): Promise<FileHandle> {
  return openRegular(place, CREATE);
}

/** The same as a stream. It syncs the file to the disk when it ends. */
export function streamToNew(place: Place): Writable {
  const opened = once(() => openNew(place));
  /** Does the next step with the file, or without it if it could not be opened. */
  const step = async (work: (file: FileHandle) => Promise<void>, done: Done): Promise<void> => {
    try {
      await work(await opened());
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return new Writable({
    construct: (done) => void step(async () => {}, done),
    write: (chunk: Buffer, _encoding, done) => void step((file) => file.writeFile(chunk), done),
    final: (done) => void step((file) => file.sync(), done),
    destroy: (error, done) =>
      void step(
        (file) => file.close(),
        (failure) => done(error ?? failure ?? null),
      ),
  });
}

type Done = (error?: Error | null) => void;

/** Gives a file a second name, or copies it if the file system does not support that. */
export async function linkOrCopy(from: Place, to: Place): Promise<void> {
  await atEntry(from, (old) =>
    atEntry(to, (added) => link(old, added).catch(() => copyFile(old, added, constants.COPYFILE_EXCL))),
  );
}

/** Makes a folder and those above it, each entry on the disk before this resolves. */
export async function makeFolder(place: Place): Promise<void> {
  const there = await statsAt(place);
  if (there?.isDirectory() === true) return;
  if (there !== undefined) throw new Error(`${place.path} is not a folder`);
  await makeFolder(folderOf(place));
  await atEntry(place, (path) => mkdir(path)).catch((error: unknown) => {
    // Another process was faster.
    if (errorCode(error) !== "EEXIST") throw error;
  });
  await syncFolder(folderOf(place));
}

/** The names in a folder. */
export function namesIn({ path }: Place): Promise<string[]> {
  return readdir(path);
}

/** Puts a folder's entries (new names, renames) on the disk. Windows cannot sync a folder and need not. */
export async function syncFolder({ path }: Place): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Renames a file, and replaces an existing one. Neither path may lead through a link. */
export async function move(from: Place, to: Place): Promise<void> {
  await atEntry(from, (old) => atEntry(to, (moved) => rename(old, moved)));
}

/** Removes a file, if it exists. */
export async function removeFile(place: Place): Promise<void> {
  try {
    await atEntry(place, unlink);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/**
 * Removes a folder with its content, if it exists.
 * @param within the folder that must contain it
 */
export async function removeFolder(place: Place, within: Place): Promise<void> {
  const there = await statsAt(place);
  if (there === undefined) return;
  if (place.path === within.path || !isWithin(await realpath(within.path), place.path))
    throw new Error(`${place.path} is not in ${within.path}`);
  await removeTree(place);
}

/** Removes links, and keeps what they lead to, even if a folder becomes a link meanwhile. */
async function removeTree(place: Place): Promise<void> {
  const there = await statsAt(place);
  if (there?.isDirectory() !== true) return removeFile(place);
  for (const name of await inFolder(place, (path) => readdir(path)))
    await removeTree(Place.checked(join(place.path, name)));
  await atEntry(place, (path) => rmdir(path));
}

/** After this time, an incomplete file counts as abandoned, in ms. */
const ABANDONED_MS = 86_400_000;

/**
 * Removes incomplete files that killed processes left.
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
  /** Removes the folder with its content. */
  remove(): Promise<void>;
}

/** Creates an empty folder that only this user can read. @param prefix of its name, which ends at random */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const parent = await realpath(tmpdir());
  const place = Place.checked(await mkdtemp(join(parent, prefix)));
  return { place, remove: () => removeFolder(place, Place.checked(parent)) };
}

// Files that the user or a runner named. They may be anywhere, and need not be regular files.

/** Writes a whole file. Outside the checkout, it can also write to a device or a pipe, such as /dev/stdout. */
export async function writeTyped(
  { place, isInCheckout }: TypedPlace,
  contents: string | Uint8Array,
): Promise<void> {
  const device = isInCheckout ? undefined : await openDevice(place);
  try {
    if (device === undefined) await writeAtomic(place, contents);
    else await device.writeFile(contents);
  } finally {
    await device?.close();
  }
}

/** Undefined for a file and a folder, and if there is nothing. */
async function openDevice({ path }: Place): Promise<FileHandle | undefined> {
  if (!isDevice(await stat(path).catch(() => undefined))) return undefined;
  const opened = await open(path, O_WRONLY);
  if (isDevice(await opened.stat())) return opened;
  await opened.close();
  return undefined;
}

function isDevice(found: Stats | undefined): boolean {
  return found?.isFile() === false && !found.isDirectory();
}

/** Throws if the folder is not writable. Creates the folder if needed. */
export async function tryFolder(place: Place): Promise<void> {
  const folder = folderOf(place);
  await makeFolder(folder);
  // Permissions are not enough to know: the disk may be read-only, or full.
  await inFolder(folder, async (path) => rmdir(await mkdtemp(join(path, ".plancast-"))));
}

/** Whether files can be written in a folder. */
export interface Room {
  /** Why not, as the system says; undefined if they can, or there is no folder yet. */
  readonly refused: string | undefined;
  /** Bytes for this user; undefined if the system does not say. */
  readonly freeBytes: number | undefined;
}

/** Writes nothing. */
export async function roomIn(folder: string): Promise<Room> {
  const refused = await access(folder, constants.W_OK).then(
    () => undefined,
    (error: unknown) => (errorCode(error) === "ENOENT" ? undefined : reasonOf(error)),
  );
  const space = await statfs(folder).catch(() => undefined);
  return { refused, freeBytes: space && space.bavail * space.bsize };
}

/** Appends to a file that a runner made for a step, such as GITHUB_OUTPUT. */
export async function appendToRunnerFile(path: string, text: string): Promise<void> {
  await appendFile(path, text);
}
