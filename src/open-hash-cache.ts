/** From the project to what this machine remembers of its media files. */
import { join } from "node:path";
import type { Clock } from "./calendar/clock.ts";
import type { Project } from "./calendar/config.ts";
import { openHashCache, type HashCache } from "./media/hash-cache.ts";
import { STATE_FOLDER } from "./state/project-state.ts";

export function hashCacheOf({ root }: Project, clock: Clock): HashCache {
  return openHashCache(join(root, STATE_FOLDER, "media"), () => clock.now());
}
