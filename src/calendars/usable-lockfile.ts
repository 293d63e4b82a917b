/** The lockfile as far as calendars depend on it, without the service that it belongs to. */

import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { type Lockfile, checkLockfile } from "../model/lockfile.ts";
import type { Project } from "../settings/config.ts";

/** Undefined if it is missing or cannot be used: code that needs all of it reports the reason. */
export async function readUsableLockfile({ root, config }: Project): Promise<Lockfile | undefined> {
  try {
    const bytes = await readRegular(await placeInProject(root, config.lockfile));
    return checkLockfile(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
