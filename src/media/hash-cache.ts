/**
 * What was read of the project's media files, kept on this machine, so that a file is hashed once and not in every run.
 * A file is taken to be the one that was read as long as the disk tells the same of it. What is strange in the cache is
 * as good as absent; and what is uploaded is hashed again just before. All of its folder can be made again.
 */

import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import {
  createWhole,
  makeFolder,
  readRegular,
  removeAbandoned,
  removeFile,
  writeAtomic,
} from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { errorCode } from "../model/failure.ts";
import { fromKeptFacts, keptFacts, toKeptFacts } from "../model/lockfile.ts";
import { type ReadMedia, isMedia, readMedia } from "./read-media.ts";

/** Where files are written before they are whole. */
export function partsFolder(folder: Place): Place {
  return folder.in("parts");
}

/**
 * Makes the folder, and removes what killed processes have left in it.
 * @param now ms since the epoch
 */
export async function makeCacheFolder(folder: Place, now: number): Promise<void> {
  const parts = partsFolder(folder);
  await makeFolder(parts);
  // Also where a project's own .gitignore forgets it.
  await createWhole(folder.in(".gitignore"), "*\n", parts);
  await removeAbandoned(parts, now, () => true);
}

/** A cache of another version is absent. Raised when other facts are read of a file, or read otherwise. */
const VERSION = 1;

/** A file that changed so shortly before it was read may change again without the disk's clock showing it, ms. */
const TOO_FRESH_MS = 2_000;

/** Files that a run did not meet are remembered up to this number: branches and filters come and go. */
const MAX_NOT_MET = 20_000;

const entrySchema = z.strictObject({
  /** What the disk told of the file; see stampOf. */
  stamp: z.string(),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mime: z.string().regex(/^(image|video)\/[\w.+-]+$/),
  facts: keptFacts,
});

type Entry = z.infer<typeof entrySchema>;

const cacheSchema = z.strictObject({
  version: z.literal(VERSION),
  /** By path with links resolved. */
  files: z.record(z.string(), z.unknown()),
});

export interface HashCache {
  /** As readMedia, which is asked where the file is not known. */
  read(path: string): Promise<ReadMedia>;
  /** Writes down what was read. Where the disk cannot be written, nothing is kept, and nothing is said. */
  save(): Promise<void>;
  /** Forgets all files: one of them turned out to be another than was remembered. */
  discard(): Promise<void>;
}

/**
 * @param folder made when there is something to keep
 * @param now ms since the epoch
 */
export function openHashCache(folder: Place, now: () => number): HashCache {
  const file = cacheFile(folder);
  let kept: Promise<ReadonlyMap<string, Entry>> | undefined;
  const met = new Map<string, Entry>();
  let isNew = false;
  return {
    read: async (path) => {
      const before = await stat(path, { bigint: true });
      const known = met.get(path) ?? (await (kept ??= readEntries(file))).get(path);
      if (known?.stamp === stampOf(before)) {
        met.set(path, known);
        const { bytes, sha256, mime, facts } = known;
        return { bytes, sha256, mime, facts: fromKeptFacts(facts) };
      }
      const begun = now();
      const media = await readMedia(path);
      const entry = entryFor(media, before, begun);
      if (entry !== undefined && entry.stamp === stampOf(await stat(path, { bigint: true }))) {
        met.set(path, entry);
        isNew = true;
      }
      return media;
    },
    save: async () => {
      if (!isNew) return;
      const files = Object.fromEntries([...entriesNotMet(await (kept ?? new Map()), met), ...met]);
      await writeEntries(folder, file, JSON.stringify({ version: VERSION, files }), now());
    },
    discard: () => removeFile(file).catch(() => undefined),
  };
}

/**
 * What changes with the file. The time of its last change is the system's own, and no program can set it: a file that
 * was replaced and given its old size and modification time is seen all the same. A copy is another file.
 */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Undefined for what is no medium, or too fresh to be known by its times. */
function entryFor({ sha256, bytes, mime, facts }: ReadMedia, stats: BigIntStats, begun: number) {
  const changed = Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs));
  if (!isMedia(mime) || BigInt(bytes) !== stats.size || begun - changed <= TOO_FRESH_MS) return undefined;
  return { stamp: stampOf(stats), bytes, sha256, mime, facts: toKeptFacts(facts) };
}

/** How many files are remembered in a folder; undefined where that is not one that this plancast wrote. */
export async function countCachedFiles(folder: Place): Promise<number | undefined> {
  try {
    const { files } = await readCache(cacheFile(folder));
    return Object.keys(files).length;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? 0 : undefined;
  }
}

function cacheFile(folder: Place): Place {
  return folder.in("hashes.json");
}

async function readCache(file: Place): Promise<z.infer<typeof cacheSchema>> {
  return cacheSchema.parse(JSON.parse((await readRegular(file)).toString("utf8")));
}

async function readEntries(file: Place): Promise<ReadonlyMap<string, Entry>> {
  try {
    const { files } = await readCache(file);
    return new Map(
      Object.entries(files).flatMap(([path, each]) => {
        const entry = entrySchema.safeParse(each).data;
        return entry === undefined ? [] : [[path, entry] as const];
      }),
    );
  } catch {
    return new Map();
  }
}

function entriesNotMet(kept: ReadonlyMap<string, Entry>, met: ReadonlyMap<string, Entry>): [string, Entry][] {
  const others = [...kept].filter(([path]) => !met.has(path));
  return others.length > MAX_NOT_MET ? [] : others;
}

/** A reader finds the old cache or the new one. */
async function writeEntries(folder: Place, file: Place, text: string, now: number): Promise<void> {
  try {
    await makeCacheFolder(folder, now);
    await writeAtomic(file, text, { scratch: partsFolder(folder) });
  } catch {
    // It is only a cache.
  }
}
