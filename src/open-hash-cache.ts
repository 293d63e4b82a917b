/** From the project to what this machine remembers of its media files. */
import { join } from "node:path";
import type { Clock } from "./calendar/clock.ts";
import type { Project } from "./calendar/config.ts";
import { countCachedFiles, openHashCache, type HashCache } from "./media/hash-cache.ts";
import { STATE_FOLDER } from "./state/project-state.ts";

export function hashCacheOf({ root }: Project, clock: Clock): HashCache {
  return openHashCache(folderOf(root), () => clock.now());
}

/** How many media files of the project are remembered; undefined where the cache cannot be used. */
export function countRememberedOf({ root }: Project): Promise<number | undefined> {
  return countCachedFiles(folderOf(root));
}

function folderOf(root: string): string {
  return join(root, STATE_FOLDER, "media");
}
