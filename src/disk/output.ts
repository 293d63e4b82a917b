/** Files that the user or a runner named. They may be anywhere, and need not be regular files. */

import { appendFile, mkdtemp, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderOf, makeFolder, removeFolder, writeAtomic } from "./files.ts";
import { type TypedPlace, Place } from "./place.ts";

/** Writes a whole file. Outside the checkout, it can also write to a device or a pipe, such as /dev/stdout. */
export async function writeTyped(
  { place, isInCheckout }: TypedPlace,
  contents: string | Uint8Array,
): Promise<void> {
  if (!isInCheckout && (await isDevice(place))) await writeFile(place.path, contents);
  else await writeAtomic(place, contents);
}

async function isDevice({ path }: Place): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
}

/** Throws if the folder is not writable. Creates the folder if needed. */
export async function tryFolder(place: Place): Promise<void> {
  const folder = folderOf(place);
  await makeFolder(folder);
  // Permissions are not enough to know: the disk may be read-only, or full.
  const probe = Place.checked(await mkdtemp(join(folder.path, ".plancast-")));
  await removeFolder(probe, folder);
}

/** Appends to a file that a runner made for a step, such as GITHUB_OUTPUT. */
export async function appendToRunnerFile(path: string, text: string): Promise<void> {
  await appendFile(path, text);
}
