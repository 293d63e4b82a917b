import { type FileHandle, copyFile, mkdir, open, realpath, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file whole: a reader, also after a crash, finds the old text or the new one. The new text is on the
 * disk when this resolves. A crash can leave a part of it in `scratch`, where the next write replaces it.
 * Throws when something else than a file has the name: replacing a device such as /dev/null would break the machine.
 * @param mode permissions. Without it a file that is there keeps its own and, as far as this user may
 *   say so, its owner and group.
 */
export async function writeAtomic(
  path: string,
  contents: string | Uint8Array,
  scratch: string,
  mode?: number,
): Promise<void> {
  await makeFolder(scratch);
  await makeFolder(dirname(path));
  // Where the file is a link, what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const isOther = await stat(target).then(
    (there) => !there.isFile(),
    () => false,
  );
  if (isOther) throw new Error(`${target} is not a file`);
  const part = join(scratch, `${basename(path)}.part`);
  const file = await openPart(part, mode);
  try {
    await file.writeFile(contents);
    if (mode === undefined) await copyPermissions(file, target);
    // One that a crash left may be open to more.
    else await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, target).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    return moveAcross(part, target, mode);
  });
  await syncFolder(dirname(target));
}

/** One that a crash left may be read-only. */
async function openPart(part: string, mode: number | undefined): Promise<FileHandle> {
  try {
    return await open(part, "w", mode);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    await rm(part, { force: true });
    return open(part, "w", mode);
  }
}

/** Best effort: not all file systems have permissions, and only the superuser may give a file to somebody else. */
async function copyPermissions(file: FileHandle, target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there === undefined) return;
  const { uid, gid, mode } = there;
  // The owner first: a new one clears bits of the mode.
  await file.chown(uid, gid).catch(() => file.chown(-1, gid).catch(() => undefined));
  await file.chmod(mode & 0o7777).catch(() => undefined);
}

/** For a scratch folder on another file system than the file. */
async function moveAcross(part: string, target: string, mode: number | undefined): Promise<void> {
  const beside = `${target}.part`;
  await copyFile(part, beside);
  const file = await open(beside, "r+");
  try {
    if (mode === undefined) await copyPermissions(file, target);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, target);
  await unlink(part);
}

/** Makes a folder and those above it, each entry on the disk before this resolves. */
export async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Puts a folder's entries (new names, renames) on the disk. Windows cannot sync a folder and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
