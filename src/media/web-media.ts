/**
 * The files at web addresses of media: from the lockfile, otherwise from earlier downloads on this machine, otherwise
 * from the network. Each address is checked once per run, however many rows name it. Downloads are stored by their
 * content, with a record of each address's file. All of it can be downloaded again, so anything incomplete counts as
 * absent.
 */

import pLimit from "p-limit";
import { z } from "zod";
import { newId } from "../disk/machine.ts";
import {
  type TemporaryFolder,
  makeFolder,
  makeTemporaryFolder,
  move,
  readRegular,
  removeFile,
  removeFolder,
  writeAtomic,
} from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { addressKey } from "../model/lockfile.ts";
import { displayAddress } from "../model/address.ts";
import type { MediaFile } from "../model/post.ts";
import type { AllowsHost } from "./allowed-hosts.ts";
import type { Downloaded, HostConnections, Validators } from "./checked-request.ts";
import type { DownloadBudget } from "./download-budget.ts";
import { makeCacheFolder, partsFolder } from "./hash-cache.ts";
import {
  type MediaFault,
  changedFile,
  notMedia,
  webPage,
  withAlternative,
  withDiskFailure,
} from "./media-fault.ts";
import { hashFile, isMedia, isWebPage, readMedia } from "./media-file.ts";

/** Downloads at the same time. */
const DOWNLOADS = 6;

/** Access to the network, if a command may use it. */
export interface DownloadSettings {
  readonly allows: AllowsHost;
  /** The limit that plancast.yaml sets. */
  readonly maxSize: string;
  readonly timeout: string;
  readonly userAgent: string;
  /** Credentials for files of the service itself. */
  readonly authorization?: ((url: URL) => string | undefined) | undefined;
  /** Where the file of an address is, if that is elsewhere: a page that shows it is not the file. */
  readonly locate?: ((url: string) => Promise<LocatedMedia | MediaFault | undefined>) | undefined;
  /** For all downloads of the run. */
  readonly budget: DownloadBudget;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Whether to check known addresses again. */
  readonly refresh: boolean;
  /** Called before the check of an address, and with its result. */
  readonly onDownload: (url: string) => (result: Downloaded | MediaFault) => void;
}

/** The address that gives a file itself. */
export interface LocatedMedia {
  readonly address: string;
  /** Credentials, for this address and no other. */
  readonly authorization?: ((url: URL) => string | undefined) | undefined;
  /** What a refusal of its host means. */
  readonly refused: (fault: MediaFault) => MediaFault;
}

export interface WebMediaOptions {
  readonly cache: DownloadCache;
  /** The lockfile's record of an address. */
  readonly pinned: (url: string) => Promise<MediaFile | undefined>;
  /** Without it, no other machine is contacted. */
  readonly network: DownloadSettings | undefined;
}

type WebMediaResult = MediaFile | MediaFault | undefined;

export class WebMedia {
  readonly #options: WebMediaOptions;
  readonly #looks = new Map<string, Promise<WebMediaResult>>();
  readonly #limit = pLimit(DOWNLOADS);
  #connections: HostConnections | undefined;

  constructor(options: WebMediaOptions) {
    this.#options = options;
  }

  /**
   * The file at an address. Undefined if it is unknown without the network, which may not be used.
   * @param isWanted whether it matters enough to be read, and to be downloaded
   */
  async resolve(url: string, isWanted: boolean): Promise<WebMediaResult> {
    const { network, pinned } = this.#options;
    const known = isWanted && network?.refresh === true ? undefined : await pinned(url);
    if (known !== undefined || !isWanted) return known;
    const looking = this.#looks.get(url) ?? this.#limit(() => this.#look(url));
    this.#looks.set(url, looking);
    return looking;
  }

  /** The path of a file from the web, downloaded again if necessary; a fault if the file has changed. */
  async pathOf({ url, sha256 }: MediaFile & { readonly url: string }): Promise<string | MediaFault> {
    const kept = await this.#options.cache.fileOf(sha256);
    if (kept !== undefined) return kept;
    const found = await this.#limit(() => this.#fetch(url, undefined));
    if (found === undefined || "code" in found) return found ?? changedFile(url);
    return found.sha256 === sha256
      ? ((await this.#options.cache.fileOf(sha256)) ?? changedFile(url))
      : changedFile(url);
  }

  async close(): Promise<void> {
    await this.#connections?.close();
    await this.#options.cache.close();
  }

  async #look(url: string): Promise<WebMediaResult> {
    const { cache, network } = this.#options;
    const kept = await cache.find(url);
    if (kept === undefined) return this.#fetch(url, undefined);
    const news = network?.refresh === true ? await this.#fetch(url, kept.validators) : undefined;
    return news ?? (await fileAt(kept.path, url));
  }

  /** Undefined if nothing was requested, or nothing has changed. */
  async #fetch(url: string, known: Validators | undefined): Promise<WebMediaResult> {
    const { cache, network } = this.#options;
    if (network === undefined) return undefined;
    const place = await cache.place(url);
    const tell = network.onDownload(url);
    try {
      const located = await network.locate?.(url);
      if (located !== undefined && "code" in located) {
        tell(located);
        return located;
      }
      const requests = await import("./checked-request.ts");
      const connections = (this.#connections ??= new requests.HostConnections(network.allows));
      const result = await network.budget.during((noTimeLeft) =>
        requests.download(located?.address ?? url, place, known, {
          ...network,
          authorization: located === undefined ? network.authorization : located.authorization,
          noTimeLeft,
          dispatcherFor: (target) => connections.for(target),
        }),
      );
      tell(result);
      if ("code" in result) return withAlternative(located?.refused(result) ?? result);
      if (result.kind === "same") return undefined;
      const file = await fileAt(place.path, url);
      if ("code" in file && located !== undefined) return withAlternative(located.refused(file));
      if (!("code" in file)) await cache.keep(url, place, file.sha256, result.validators);
      return file;
    } finally {
      await cache.discard(place);
    }
  }
}

/** The file at an address, or why it cannot be posted. */
async function fileAt(path: string, url: string): Promise<MediaFile | MediaFault> {
  const { sha256, bytes, mime, facts } = await readMedia(path);
  if (!isMedia(mime)) return (await isWebPage(path)) ? withAlternative(webPage(url)) : notMedia(url, mime);
  return { kind: "file", path: displayAddress(url), url, sha256, bytes, mime, facts };
}

const entrySchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  etag: z.string().optional(),
  modified: z.string().optional(),
});

interface KeptDownload {
  readonly sha256: string;
  readonly path: string;
  readonly validators: Validators;
}

export interface DownloadCache {
  /** The record of an address; undefined if it is missing or incomplete. */
  find(url: string): Promise<KeptDownload | undefined>;
  /** Path of the file with this hash; undefined if it is missing or incomplete. */
  fileOf(sha256: string): Promise<string | undefined>;
  /** Path for a download. Throws a Failure if the disk cannot be written. */
  place(url: string): Promise<Place>;
  /** Moves a download into the cache. */
  keep(url: string, downloaded: Place, sha256: string, validators: Validators): Promise<void>;
  discard(downloaded: Place): Promise<void>;
  close(): Promise<void>;
}

/**
 * Downloads stay for the next run. If the folder cannot be written, as in a read-only checkout, they go to a temporary
 * folder instead.
 * @param folder created on demand
 * @param now ms since the epoch
 */
export function openDownloadCache(folder: Place, now: () => number): DownloadCache {
  const { files, addresses, parts } = foldersIn(folder);
  let made: Promise<TemporaryFolder | undefined> | undefined;
  const make = async (): Promise<TemporaryFolder | undefined> => {
    try {
      await makeCacheFolder(folder, now());
      await Promise.all([files, addresses].map(makeFolder));
      return undefined;
    } catch {
      return makeTemporaryFolder("plancast-media-");
    }
  };
  return {
    ...cacheReader(folder),
    place: (url) =>
      withDiskFailure(async () => {
        const temporary = await (made ??= make());
        return (temporary?.place ?? parts).in(`${addressKey(url)}.${newId()}`);
      }),
    keep: (url, downloaded, sha256, validators) =>
      withDiskFailure(async () => {
        if ((await made) !== undefined) return;
        await move(downloaded, files.in(sha256));
        const entry = JSON.stringify({ sha256, ...validators });
        await writeAtomic(entryPlace(folder, url), entry, { scratch: parts });
      }),
    discard: removeFile,
    close: async () => (await made)?.remove(),
  };
}

/** Forgets the files of all addresses. */
export function forgetAddresses(folder: Place): Promise<void> {
  return removeFolder(foldersIn(folder).addresses, folder);
}

function foldersIn(folder: Place): Record<"files" | "addresses" | "parts", Place> {
  return { files: folder.in("files"), addresses: folder.in("addresses"), parts: partsFolder(folder) };
}

function entryPlace(folder: Place, url: string): Place {
  return foldersIn(folder).addresses.in(`${addressKey(url)}.json`);
}

function cacheReader(folder: Place): Pick<DownloadCache, "find" | "fileOf"> {
  const fileOf = async (sha256: string): Promise<string | undefined> => {
    const { path } = foldersIn(folder).files.in(sha256);
    const found = await hashFile(path).catch(() => undefined);
    return found?.sha256 === sha256 ? path : undefined;
  };
  return {
    find: async (url) => {
      const entry = await readEntry(entryPlace(folder, url));
      const path = entry === undefined ? undefined : await fileOf(entry.sha256);
      if (entry === undefined || path === undefined) return undefined;
      const { sha256, ...validators } = entry;
      return { sha256, path, validators };
    },
    fileOf,
  };
}

async function readEntry(place: Place): Promise<z.infer<typeof entrySchema> | undefined> {
  try {
    return entrySchema.safeParse(JSON.parse((await readRegular(place)).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
