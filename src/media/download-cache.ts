/**
 * Downloads as they are kept on this machine: files by what they hold, and for each address which file it gave. All of
 * it can be downloaded again, so anything that is not whole is as good as absent.
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type TemporaryFolder,
  makeFolder,
  makeTemporaryFolder,
  move,
  readRegular,
  removeFile,
  writeAtomic,
} from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { addressKey } from "../model/lockfile.ts";
import { makeCacheFolder, partsFolder } from "./hash-cache.ts";
import type { Validators } from "./download.ts";
import { hashFile } from "./file-contents.ts";
import { withDiskFailure } from "./media-fault.ts";

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
  /** What an address gave; undefined where that is not here, or not whole. */
  find(url: string): Promise<KeptDownload | undefined>;
  /** Path of the file of these bytes; undefined where it is not here, or not whole. */
  fileOf(sha256: string): Promise<string | undefined>;
  /** Where to download an address to. Throws a Failure when the disk cannot be written. */
  place(url: string): Promise<Place>;
  /** Takes what was downloaded into the cache. */
  keep(url: string, downloaded: Place, sha256: string, validators: Validators): Promise<void>;
  discard(downloaded: Place): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param folder made when there is something to keep
 * @param now ms since the epoch
 */
export function openDownloadCache(folder: Place, now: () => number): DownloadCache {
  const { files, addresses, parts } = foldersIn(folder);
  let made: Promise<void> | undefined;
  const make = async (): Promise<void> => {
    await makeCacheFolder(folder, now());
    await Promise.all([files, addresses].map(makeFolder));
  };
  return {
    ...cacheReader(folder),
    place: (url) =>
      withDiskFailure(async () => {
        await (made ??= make());
        return parts.in(`${addressKey(url)}.${randomUUID()}`);
      }),
    keep: (url, downloaded, sha256, validators) =>
      withDiskFailure(async () => {
        await move(downloaded, files.in(sha256));
        const entry = JSON.stringify({ sha256, ...validators });
        await writeAtomic(entryPlace(folder, url), entry, { scratch: parts });
      }),
    discard: removeFile,
    close: async () => {},
  };
}

/** The same for a command that leaves nothing behind: what it downloads is looked at in a folder of its own, and removed. */
export function openReadOnlyDownloadCache(folder: Place): DownloadCache {
  let made: Promise<TemporaryFolder> | undefined;
  return {
    ...cacheReader(folder),
    place: (url) =>
      withDiskFailure(async () => {
        const { place } = await (made ??= makeTemporaryFolder("plancast-media-"));
        return place.in(addressKey(url));
      }),
    keep: async () => {},
    discard: removeFile,
    close: async () => (await made)?.remove(),
  };
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
