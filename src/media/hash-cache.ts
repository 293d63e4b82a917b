/**
 * A cache of the project's media files on this machine, so that a file is hashed once and not in every run. A file
 * counts as unchanged while its facts on the disk are the same. A faulty cache counts as empty, and files are hashed
 * again before an upload. You can delete the folder at any time.
 */

import type { BigIntStats } from "node:fs";
import { z } from "zod";
import {
  createWhole,
  makeFolder,
  readRegular,
  removeAbandoned,
  removeFile,
  writeAtomic,
} from "../disk/files.ts";
import { stat } from "../disk/machine.ts";
import type { Place } from "../disk/place.ts";
import { fromKeptFacts, keptFacts, toKeptFacts } from "../model/lockfile.ts";
import { type ReadMedia, isMedia, readMedia } from "./media-file.ts";

/** Folder for incomplete files. */
export function partsFolder(folder: Place): Place {
  return folder.in("parts");
}

/**
 * Creates the folder, and removes leftovers of killed processes.
 * @param now ms since the epoch
 */
export async function makeCacheFolder(folder: Place, now: number): Promise<void> {
  const parts = partsFolder(folder);
  await makeFolder(parts);
  // Even if the project's own .gitignore does not list it.
  await createWhole(folder.in(".gitignore"), "*\n", parts);
  await removeAbandoned(parts, now, () => true);
}

/** A cache of another version is ignored. Increase it when facts of files are added or change. */
const VERSION = 2;

/**
 * If a file changed less than this before it was read, in ms, it may change again with the same time on the disk's
 * clock.
 */
const TOO_FRESH_MS = 2_000;

/** Up to this number of files that a run did not use are kept, because branches and filters come and go. */
const MAX_NOT_MET = 20_000;

const entrySchema = z.strictObject({
  /** The file's facts on the disk; see stampOf. */
  stamp: z.string(),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mime: z.string().regex(/^(image|video)\/[\w.+-]+$/),
  facts: keptFacts,
});

type Entry = z.infer<typeof entrySchema>;

const cacheSchema = z.strictObject({
  version: z.literal(VERSION),
  /** Keyed by path with links resolved. */
  files: z.record(z.string(), z.unknown()),
});

export interface HashCache {
  /** Like readMedia, which is used for unknown files. */
  read(path: string): Promise<ReadMedia>;
  /** Saves the cache. If the disk cannot be written, nothing is saved, without a message. */
  save(): Promise<void>;
  /** Empties the cache, because the content of a file did not match it. */
  discard(): Promise<void>;
}

/**
 * @param folder created on demand
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
    discard: () => forgetHashes(folder).catch(() => undefined),
  };
}

/** Empties the cache of a folder. */
export function forgetHashes(folder: Place): Promise<void> {
  return removeFile(cacheFile(folder));
}

/**
 * The facts that change with the file. Only the system sets the time of the last change, so a replaced file shows even
 * if it has the old size and modification time. A copy is another file.
 */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Undefined for a file that is not media, or changed too recently for its times to be reliable. */
function entryFor({ sha256, bytes, mime, facts }: ReadMedia, stats: BigIntStats, begun: number) {
  const changed = Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs));
  if (!isMedia(mime) || BigInt(bytes) !== stats.size || begun - changed <= TOO_FRESH_MS) return undefined;
  return { stamp: stampOf(stats), bytes, sha256, mime, facts: toKeptFacts(facts) };
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

/** Replaced atomically: a reader finds the old cache or the new one. */
async function writeEntries(folder: Place, file: Place, text: string, now: number): Promise<void> {
  try {
    await makeCacheFolder(folder, now);
    await writeAtomic(file, text, { scratch: partsFolder(folder) });
  } catch {
    // Failures do not matter, because it is only a cache.
  }
}
