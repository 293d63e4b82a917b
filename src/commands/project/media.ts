/**
 * Pictures and videos for a command: those that this machine knows without downloads, and web addresses for a command that
 * may download, which shows what it downloads.
 */

import { type CheckedCalendars, checkCalendars } from "../../calendars/check.ts";
import type { Selection } from "../../calendars/select.ts";
import { hostsNotIn } from "../../media/allowed-hosts.ts";
import { DownloadBudget } from "../../media/download-budget.ts";
import type { HashCache } from "../../media/hash-cache.ts";
import type { WebMedia } from "../../media/web-media.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { displayAddress } from "../../model/address.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { ServiceFiles } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";
import { maximaOf } from "../../settings/maxima.ts";
import {
  type Downloading,
  forgetMediaFacts,
  hashCacheOf,
  openAddresses,
} from "../../sync/state/media-caches.ts";
import { USER_AGENT } from "../../model/version.ts";
import type { ProjectRun } from "../shell/command.ts";

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
  const addresses = downloading(run, how);
  try {
    return await work(addresses);
  } finally {
    await addresses.close();
  }
}

function downloading(
  { project: given, flags, shell: { clock, stop, env }, console }: ProjectRun,
  { note = "Downloading media from addresses in the calendars.\n", files, ...how }: DownloadMode,
): WebMedia {
  const project = withConfirmedHosts(given, env);
  let isNoted = false;
  return openAddresses(files === undefined ? project : allowingHost(project, files), clock, {
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

function allowingHost(project: Project, { host }: ServiceFiles): Project {
  return allowing(project, [host]);
}

function allowing({ config, ...project }: Project, hosts: readonly string[]): Project {
  const { media } = config;
  return {
    ...project,
    config: { ...config, media: { ...media, allow_hosts: [...media.allow_hosts, ...hosts] } },
  };
}

/**
 * The project with the hosts that PLANCAST_MEDIA_ALLOW_HOSTS allows. Throws a Failure if, in CI, the checkout names
 * others: a pull request could make the runner contact machines of its network.
 */
export function withConfirmedHosts(project: Project, env: Env): Project {
  const confirmed = (env["PLANCAST_MEDIA_ALLOW_HOSTS"] ?? "").split(/[\s,]+/).filter((host) => host !== "");
  const others = hostsNotIn(project.config.media.allow_hosts, confirmed);
  if (others.length === 0 || !isCi(env)) return allowing(project, confirmed);
  throw new Failure(
    "media/url-private",
    `Only media.allow_hosts in ${project.file} allows downloads from ${others.join(", ")}, which may be in your private network. In CI, that is not enough, so nothing was downloaded.`,
    `If your media are there, name the hosts in PLANCAST_MEDIA_ALLOW_HOSTS in the settings of your CI (the Action's input media-allow-hosts). Otherwise remove them from ${project.file}.`,
  );
}
