/** The folder of what is kept of media on this machine. All of it can be made again. */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What was begun so long ago is not going on any more, ms. */
const ABANDONED_MS = 86_400_000;

/** Where files are written before they are whole. */
export function partsFolder(folder: string): string {
  return join(folder, "parts");
}

/**
 * Makes the folder.
 * @param folder absolute
 * @param now ms since the epoch
 */
export async function makeCacheFolder(folder: string, now: number): Promise<void> {
  await mkdir(partsFolder(folder), { recursive: true });
  // Also where a project's own .gitignore forgets it.
  await writeFile(join(folder, ".gitignore"), "*\n");
  await removeAbandoned(partsFolder(folder), now);
}

/** Removes what killed processes have left. */
async function removeAbandoned(parts: string, now: number): Promise<void> {
  const names = await readdir(parts);
  await Promise.all(
    names.map(async (name) => {
      const path = join(parts, name);
      const left = await stat(path).catch(() => undefined);
      if (left !== undefined && now - left.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
    }),
  );
}
