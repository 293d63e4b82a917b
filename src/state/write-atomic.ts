import { copyFile, open, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, syncFolder } from "./folder.ts";

/**
 * Replaces a file whole: a reader, also after a crash, finds the old text or the new one. The new text is on the
 * disk when this resolves. A crash can leave a part of it in `scratch`, where the next write replaces it.
 * @param mode permissions of a new file, before the umask
 */
export async function writeAtomic(
  path: string,
  contents: string | Uint8Array,
  scratch: string,
  mode = 0o666,
): Promise<void> {
  await makeFolder(scratch);
  await makeFolder(dirname(path));
  // Where the file is a link, what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const part = join(scratch, `${basename(path)}.part`);
  const file = await open(part, "w", mode);
  try {
    await file.writeFile(contents);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, target).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    return moveAcross(part, target);
  });
  await syncFolder(dirname(target));
}

/** For a scratch folder on another file system than the file. */
async function moveAcross(part: string, target: string): Promise<void> {
  const beside = `${target}.part`;
  await copyFile(part, beside);
  const file = await open(beside, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, target);
  await unlink(part);
}
