import { open, rename } from "node:fs/promises";
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
  const part = join(scratch, `${basename(path)}.part`);
  const file = await open(part, "w", mode);
  try {
    await file.writeFile(contents);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  await syncFolder(dirname(path));
}
