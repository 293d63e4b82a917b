/** The slots that rows have, by the lockfile on disk. Needed also where no service is asked. */

import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { checkLockfile, takenSlots } from "../model/lockfile.ts";
import type { TakenSlots } from "../model/post.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";

/**
 * Reads the lockfile only if a calendar has slots. An unusable lockfile gives none: code that needs all of it reports
 * the reason.
 */
export async function readTakenSlots(
  { root, config }: Pick<Project, "root" | "config">,
  calendars: readonly Calendar[],
): Promise<TakenSlots> {
  if (calendars.every(({ settings }) => settings.slots === undefined)) return new Map();
  try {
    const bytes = await readRegular(await placeInProject(root, config.lockfile));
    const { data } = checkLockfile(JSON.parse(bytes.toString("utf8")));
    return data === undefined ? new Map() : takenSlots(data);
  } catch {
    return new Map();
  }
}
