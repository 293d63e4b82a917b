/**
 * Opens what is known about a project's media: the cache of hashes, and the sources for media at web addresses. These
 * are the lockfile, the folder of downloads, and the network if a command may use it.
 */

import { readCountedLockfile } from "../../calendars/project.ts";
import type { Place } from "../../disk/place.ts";
import { allowedHosts } from "../../media/allowed-hosts.ts";
import {
  type DownloadSettings,
  WebMedia,
  forgetAddresses,
  openDownloadCache,
} from "../../media/web-media.ts";
import { type HashCache, forgetHashes, openHashCache } from "../../media/hash-cache.ts";
import type { Clock } from "../../model/clock.ts";
import { pinnedFile } from "../../model/lockfile.ts";
import type { Project } from "../../settings/config.ts";

export function hashCacheOf(project: Project, clock: Clock): HashCache {
  return openHashCache(mediaFolder(project), () => clock.now());
}

/** Forgets which bytes files and addresses have. Downloads stay: their names are their hashes, which are checked. */
export async function forgetMediaFacts(project: Project): Promise<void> {
  const folder = mediaFolder(project);
  await forgetHashes(folder);
  await forgetAddresses(folder);
}

function mediaFolder({ state }: Project): Place {
  return state.in("media");
}

/** How a command may download. */
export type Downloading = Pick<
  DownloadSettings,
  "refresh" | "budget" | "stop" | "userAgent" | "authorization" | "locate" | "onDownload"
>;

/** Without `downloading`, no request leaves this machine. */
export function openAddresses(project: Project, clock: Clock, downloading?: Downloading): WebMedia {
  // Read at the first address, because a long lockfile takes time.
  let pins: ReturnType<typeof readCountedLockfile> | undefined;
  const folder = mediaFolder(project);
  const { allow_hosts: hosts, max_size: maxSize, timeout } = project.config.media;
  return new WebMedia({
    cache: openDownloadCache(folder, () => clock.now()),
    pinned: async (url) => {
      const lockfile = await (pins ??= readCountedLockfile(project));
      return lockfile === undefined ? undefined : pinnedFile(lockfile, url);
    },
    network:
      downloading === undefined
        ? undefined
        : { ...downloading, allows: allowedHosts(hosts), maxSize, timeout },
  });
}
