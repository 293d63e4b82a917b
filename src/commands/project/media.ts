/**
 * Pictures and videos for a command: those that this machine knows without downloads, and web addresses for a command that
 * may download, which shows what it downloads.
 */

import { type CheckedCalendars, checkCalendars } from "../../calendars/check.ts";
import type { Selection } from "../../calendars/select.ts";
import { DownloadBudget } from "../../media/download-budget.ts";
import type { HashCache } from "../../media/hash-cache.ts";
import type { WebMedia } from "../../media/web-media.ts";
import type { Clock } from "../../model/clock.ts";
import { displayAddress, isInDrive } from "../../model/address.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { ServiceFiles } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import { maximaOf } from "../../settings/maxima.ts";
import {
  type Downloading,
  forgetMediaFacts,
  hashCacheOf,
  openAddresses,
} from "../../sync/state/media-caches.ts";
import { USER_AGENT } from "../../model/version.ts";
import { testEndpoint } from "../../sources/google-access.ts";
import type { ProjectRun } from "../shell/command.ts";
import { allowing, withConfirmedHosts } from "./confirmed-hosts.ts";
import type { OpenedDrive } from "./drive.ts";

/** Media without downloads: files by their hashes, addresses by earlier downloads. */
export function knownMedia(
  project: Project,
  clock: Clock,
): { readonly addresses: WebMedia; readonly hashes: HashCache } {
  return { addresses: openAddresses(project, clock), hashes: hashCacheOf(project, clock) };
}

/**
 * Checks calendars without the service and without downloads.
 * @param clocks `now`: what decides which posts are past; `real`: the time for the caches of media
 */
export async function checkOffline(
  project: Project,
  selection: Selection,
  clocks: { readonly now: Clock; readonly real: Clock },
): Promise<CheckedCalendars> {
  const media = knownMedia(project, clocks.real);
  const checked = await checkCalendars(project, selection, clocks.now, media);
  await media.hashes.save();
  return checked;
}

type DownloadMode = Pick<Downloading, "refresh"> & {
  /** Shown before the first download. */
  readonly note?: string;
  /** The service. The service may keep its media on its own private host. */
  readonly files?: ServiceFiles;
};

/** Credentials for the service's own media. */
export function forServiceFiles(files: ServiceFiles): DownloadMode {
  return { refresh: true, note: "Downloading pictures from the service.\n", files };
}

/** Does work that may download, and closes the connections after it. */
export async function withAddresses<T>(
  run: ProjectRun,
  how: DownloadMode,
  work: (addresses: WebMedia) => Promise<T>,
): Promise<T> {
  // In CI, others may have written the state folder: it can come from a cache.
  if (isCi(run.shell.env)) await forgetMediaFacts(run.project);
  let drive: Promise<OpenedDrive> | undefined;
  const addresses = downloading(run, {
    ...how,
    locate: async (url) => {
      if (!isInDrive(url)) return undefined;
      // Few projects need it, and it loads the libraries for requests.
      drive ??= import("./drive.ts").then(({ openDrive }) => openDrive(run));
      return (await drive).locate(url);
    },
  });
  try {
    return await work(addresses);
  } finally {
    await addresses.close();
    await (await drive)?.close();
  }
}

function downloading(
  { project: given, flags, shell: { clock, stop, env }, console }: ProjectRun,
  {
    note = "Downloading media from addresses in the calendars.\n",
    files,
    ...how
  }: DownloadMode & Pick<Downloading, "locate">,
): WebMedia {
  const endpoint = testEndpoint(env);
  const hosts = [
    ...(files === undefined ? [] : [files.host]),
    ...(endpoint === undefined ? [] : [endpoint.host]),
  ];
  const project = allowing(withConfirmedHosts(given, env), hosts);
  let isNoted = false;
  return openAddresses(project, clock, {
    ...how,
    authorization: files?.authorization,
    budget: new DownloadBudget(maximaOf(env)),
    stop,
    userAgent: USER_AGENT,
    onDownload: (url) => {
      const begun = clock.now();
      if (!isNoted) console.note(note);
      isNoted = true;
      return (result) => {
        const came = "code" in result ? result.code : result.kind === "same" ? "not changed" : "downloaded";
        const line = `GET ${displayAddress(url)} ${came} ${clock.now() - begun} ms`;
        if (flags.verbose) console.note(`${escapeTerminal(line)}\n`);
      };
    },
  });
}
