/**
 * Downloads as they are kept on this machine: files by what they hold, and for each address which file it gave. All of
 * it can be downloaded again, so anything that is not whole is as good as absent.
 */

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { addressKey } from "../model/lockfile.ts";
import { makeCacheFolder, partsFolder } from "./cache-folder.ts";
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
  place(url: string): Promise<string>;
  /** Takes what was downloaded into the cache. */
  keep(url: string, downloaded: string, sha256: string, validators: Validators): Promise<void>;
  discard(downloaded: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param folder absolute; made when there is something to keep
 * @param now ms since the epoch
 */
export function openDownloadCache(folder: string, now: () => number): DownloadCache {
  const { files, addresses, parts } = foldersIn(folder);
  const partPath = (url: string): string => join(parts, `${addressKey(url)}.${process.pid}`);
  let made: Promise<void> | undefined;
  const make = async (): Promise<void> => {
    await makeCacheFolder(folder, now());
    await Promise.all([files, addresses].map((each) => mkdir(each, { recursive: true })));
  };
  return {
    ...cacheReader(folder),
    place: (url) =>
      withDiskFailure(async () => {
        await (made ??= make());
        return partPath(url);
      }),
    keep: (url, downloaded, sha256, validators) =>
      withDiskFailure(async () => {
        await rename(downloaded, join(files, sha256));
        await writeFile(`${downloaded}.json`, JSON.stringify({ sha256, ...validators }));
        await rename(`${downloaded}.json`, entryPath(folder, url));
      }),
    discard: (downloaded) => rm(downloaded, { force: true }),
    close: async () => {},
  };
}

/** The same for a command that leaves nothing behind: what it downloads is looked at in a folder of its own, and removed. */
export function openReadOnlyDownloadCache(folder: string): DownloadCache {
  let made: Promise<string> | undefined;
  return {
    ...cacheReader(folder),
    place: (url) =>
      withDiskFailure(async () =>
        join(await (made ??= mkdtemp(join(tmpdir(), "plancast-media-"))), addressKey(url)),
      ),
    keep: async () => {},
    discard: (downloaded) => rm(downloaded, { force: true }),
    close: async () => {
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
    },
  };
}

function foldersIn(folder: string): Record<"files" | "addresses" | "parts", string> {
  return { files: join(folder, "files"), addresses: join(folder, "addresses"), parts: partsFolder(folder) };
}

function entryPath(folder: string, url: string): string {
  return join(foldersIn(folder).addresses, `${addressKey(url)}.json`);
}

function cacheReader(folder: string): Pick<DownloadCache, "find" | "fileOf"> {
  const fileOf = async (sha256: string): Promise<string | undefined> => {
    const path = join(foldersIn(folder).files, sha256);
    const found = await hashFile(path).catch(() => undefined);
    return found?.sha256 === sha256 ? path : undefined;
  };
  return {
    find: async (url) => {
      const entry = await readEntry(entryPath(folder, url));
      const path = entry === undefined ? undefined : await fileOf(entry.sha256);
      if (entry === undefined || path === undefined) return undefined;
      const { sha256, ...validators } = entry;
      return { sha256, path, validators };
    },
    fileOf,
  };
}

async function readEntry(path: string): Promise<z.infer<typeof entrySchema> | undefined> {
  try {
    return entrySchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
