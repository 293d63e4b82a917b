/** A folder that is held open, so that nobody can put a link in its place between a check and a write. */

import { basename, dirname, join } from "node:path";
import { constants, machineOf, open, readlink, realpath } from "./machine.ts";
import { Place } from "./place.ts";

/** Opens only a name on Linux, and needs no permission to read. Source: open(2). Node has no constant for it. */
const O_PATH = 0o10000000;

/** The folder that a place is in. */
export function folderOf({ path }: Place): Place {
  return Place.checked(dirname(path));
}

/** Does work on an entry. Its path stays in the same folder, as for `inFolder`. */
export function atEntry<T>(place: Place, work: (path: string) => Promise<T>): Promise<T> {
  return inFolder(folderOf(place), (folder) => work(join(folder, basename(place.path))));
}

/**
 * Does work in a folder. On Linux, the path that `work` gets leads to this folder, whatever happens to its name
 * meanwhile. Elsewhere, the folder is only checked just before. Throws if its place has become a link.
 */
export async function inFolder<T>({ path }: Place, work: (folder: string) => Promise<T>): Promise<T> {
  const handle = machineOf(path).holdsFolders ? await open(path, O_PATH | constants.O_DIRECTORY) : undefined;
  const held = handle && `/proc/self/fd/${handle.fd}`;
  try {
    // Undefined without /proc.
    const opened = held && (await readlink(held).catch(() => undefined));
    if (!isSamePath(opened ?? (await realpath(path)), path))
      throw new Error(`${path} is reached through a symbolic link`);
    return await work(held === undefined || opened === undefined ? path : held);
  } catch (error) {
    if (held !== undefined && error instanceof Error) error.message = error.message.replaceAll(held, path);
    throw error;
  } finally {
    await handle?.close();
  }
}

/** Many disks ignore upper and lower case, or how an accent is written. */
function isSamePath(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => path.normalize("NFC").toLowerCase());
  return first === second;
}
