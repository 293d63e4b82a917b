/** The folder of what is kept of media on this machine. All of it can be made again. */
import { createWhole, makeFolder, removeAbandoned } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";

/** Where files are written before they are whole. */
export function partsFolder(folder: Place): Place {
  return folder.in("parts");
}

/**
 * Makes the folder, and removes what killed processes have left in it.
 * @param now ms since the epoch
 */
export async function makeCacheFolder(folder: Place, now: number): Promise<void> {
  const parts = partsFolder(folder);
  await makeFolder(parts);
  // Also where a project's own .gitignore forgets it.
  await createWhole(folder.in(".gitignore"), "*\n", parts);
  await removeAbandoned(parts, now, () => true);
}
