/** From the project to what addresses of media give: the lockfile, the folder of downloads, and the network where a command may use it. */
import { join } from "node:path";
import type { Clock } from "./calendar/clock.ts";
import type { Project } from "./calendar/config.ts";
import { pinnedFile } from "./calendar/pinned-media.ts";
import { openDownloadCache, openReadOnlyDownloadCache } from "./media/address-cache.ts";
import { WebMedia, type DownloadSettings } from "./media/addresses.ts";
import { allowedHosts } from "./media/allowed-hosts.ts";
import { readPins } from "./state/lockfile-file.ts";
import { STATE_FOLDER } from "./state/project-state.ts";

/** How a command may download. */
export interface Downloading extends Pick<
  DownloadSettings,
  "refresh" | "stop" | "userAgent" | "authorization" | "onDownload"
> {
  /** Whether what is downloaded is kept in the project, for the next time. */
  readonly keeps: boolean;
}

/** Without `downloading`, nothing leaves this machine. */
export function openAddresses({ root, config }: Project, clock: Clock, downloading?: Downloading): WebMedia {
  // Read when the first address is asked for: a long lockfile takes its time.
  let pins: ReturnType<typeof readPins> | undefined;
  const folder = join(root, STATE_FOLDER, "media");
  const { allow_hosts: hosts, max_size: maxSize, timeout } = config.media;
  return new WebMedia({
    cache:
      downloading?.keeps === true
        ? openDownloadCache(folder, () => clock.now())
        : openReadOnlyDownloadCache(folder),
    pinned: async (url) => pinnedFile(await (pins ??= readPins(join(root, config.lockfile))), url),
    network:
      downloading === undefined
        ? undefined
        : { ...downloading, allows: allowedHosts(hosts), maxSize, timeout },
  });
}
