/**
 * The folder for the state of this machine: journal, locks, caches, the embedded service's store. All code that uses it
 * needs a StateFolder, and the only way to get one checks that nothing in the folder comes from a checkout.
 */

import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { Failure, errorCode } from "../model/failure.ts";
import { refuseTracked } from "./git-tracking.ts";
import { Place, statsOf } from "./place.ts";

/** Its name in the project; never committed. */
export const STATE_FOLDER = ".plancast";

/** The state folder of a project, which need not exist yet. */
export class StateFolder extends Place {
  /** Only for `openStateFolder`. */
  static at(root: string): StateFolder {
    return new StateFolder(join(root, STATE_FOLDER));
  }

  /** How messages name a file in it, such as `.plancast/run.lock`. */
  nameOf({ path }: Place): string {
    return `${STATE_FOLDER}/${relative(this.path, path)}`;
  }
}

/**
 * The state folder of the project in this folder. Throws a Failure if git tracks something in it, or if it holds
 * anything but real files and folders.
 */
export async function openStateFolder(root: string): Promise<StateFolder> {
  const real = await realpath(root);
  const folder = StateFolder.at(real);
  const found = await statsOf(folder.path);
  if (found === undefined) return folder;
  if (!found.isDirectory() && !found.isFile()) throw notOurs(STATE_FOLDER, found.isSymbolicLink());
  if (!(await readdir(real)).includes(STATE_FOLDER)) throw otherCase();
  await refuseTracked(real, STATE_FOLDER);
  if (found.isDirectory()) await refuseStrange(folder.path, folder);
  return folder;
}

/** Checks a folder. Throws for the first entry that is neither a file nor a folder. */
async function refuseStrange(path: string, top: StateFolder): Promise<void> {
  for (const entry of await entriesOf(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await refuseStrange(inner, top);
    else if (!entry.isFile()) throw notOurs(top.nameOf(Place.checked(inner)), entry.isSymbolicLink());
  }
}

/** Another process may have just removed a folder. */
async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function notOurs(name: string, isLink: boolean): Failure {
  return new Failure(
    "disk/state-unsafe",
    `${name} is ${isLink ? "a symbolic link" : "not a file or a folder"}. plancast did not make it, and does not use it.`,
    `Remove ${name}, then run again.`,
  );
}

function otherCase(): Failure {
  return new Failure(
    "disk/state-unsafe",
    `The name of the folder ${STATE_FOLDER} differs in upper and lower case. plancast did not make it, and does not use it.`,
    "Remove that folder, then run again.",
  );
}
