/** The bytes of media: in a folder, in a bucket with a folder before it, or in memory. */

import { Readable, Writable } from "node:stream";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import {
  makeFolder,
  move,
  namesIn,
  openForReading,
  removeFile,
  statsAt,
  streamToNew,
  syncFolder,
} from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { type AnyFile, DiskFile, hashFile } from "../../media/media-file.ts";
import type { StoredMedia } from "./records.ts";

/** A file that is still being written, and invisible until it is kept. */
interface MediaDraft {
  /** Receives the bytes; call it once. */
  sink(): Writable;
  /** The type of the bytes, such as `image/png`; undefined if unknown. */
  mime(): Promise<string | undefined>;
  bytes(): Promise<number>;
  /** When this resolves, the file is stored permanently. What it resolves to belongs into the record. */
  keep(): Promise<Pick<StoredMedia, "sha256">>;
  /** Removes the file, unless it was kept. */
  discard(): Promise<void>;
}

export interface MediaFiles {
  draft(id: string): MediaDraft;
  /** The bytes of a stored file. Rejects with the error of the disk or the bucket. */
  read(item: StoredMedia): Promise<Readable>;
  /** Like `read`, for a request to a network. A file on the disk is read while it is sent. */
  file(item: StoredMedia): Promise<AnyFile>;
  /** Path of a stored file, which is first fetched from the bucket; undefined in memory. */
  place(item: StoredMedia): Promise<Place | undefined>;
  /** Removes a file that no record has any more. */
  remove(item: StoredMedia): Promise<void>;
  /**
   * Removes files in the bucket, if there is one, that no record has. Young ones stay, because they may still get their
   * record. Rejects with a BucketError.
   * @param isKnown whether there is a record with this id
   */
  removeOrphans?(isKnown: (id: string) => Promise<boolean>): Promise<void>;
}

/** Where several machines keep files. */
export interface Bucket {
  /** Rejects with a BucketError. */
  put(item: BucketItem, file: Place): Promise<void>;
  /** Writes a new file. Rejects with a BucketError, also if the bytes are not those that were put; then there is no file. */
  get(item: BucketItem, to: Place): Promise<void>;
  /** Rejects with a BucketError, but not if the file is gone already. */
  remove(item: BucketName): Promise<void>;
  /** The project's files, with their age by the bucket's clock, in ms. Rejects with a BucketError. */
  list(): AsyncIterable<BucketName & { readonly ageMs: number }>;
}

export type BucketName = Pick<StoredMedia, "id"> & { readonly sha256: string };
export type BucketItem = BucketName & Pick<StoredMedia, "bytes">;

/** The bucket did not take or give a file. */
export class BucketError extends Error {
  override readonly name = "BucketError";
}

/** How long bytes of media may wait for their record, in ms. The bytes come first. */
export const ORPHAN_MS = 86_400_000;
/** Files that are still being received; leftovers of a crash are removed. */
const UPLOAD_PREFIX = ".upload-";

/** Creates the folder, and removes leftovers of uploads. */
export async function prepareMediaFolder(folder: Place): Promise<void> {
  await makeFolder(folder);
  const left = (await namesIn(folder)).filter((name) => name.startsWith(UPLOAD_PREFIX));
  await Promise.all(left.map((name) => removeFile(folder.in(name))));
}

/** Removes files that no record has, and that were written before that time, in ms since the epoch. */
export async function removeOrphans(
  folder: Place,
  isKnown: (id: string) => Promise<boolean>,
  before: number,
): Promise<void> {
  for (const name of await namesIn(folder)) {
    const stats = await statsAt(folder.in(name));
    if (stats !== undefined && stats.mtimeMs < before && !(await isKnown(name)))
      await removeFile(folder.in(name));
  }
}

/** With a bucket, the folder only has copies of what is there. */
export function mediaOnDisk(folder: Place, bucket?: Bucket): MediaFiles {
  const fetching = new Map<string, Promise<void>>();
  const place = async ({ id, sha256, bytes }: StoredMedia): Promise<Place> => {
    const file = folder.in(id);
    if (bucket === undefined || sha256 === undefined || (await statsAt(file)) !== undefined) return file;
    const fetched = fetching.get(id) ?? fetchFile(bucket, { id, sha256, bytes }, folder);
    fetching.set(id, fetched);
    await fetched.finally(() => fetching.delete(id));
    return file;
  };
  return {
    place,
    async remove({ id, sha256 }) {
      await removeFile(folder.in(id));
      if (sha256 !== undefined) await bucket?.remove({ id, sha256 });
    },
    async removeOrphans(isKnown) {
      for await (const { ageMs, ...item } of bucket?.list() ?? [])
        if (ageMs > ORPHAN_MS && !(await isKnown(item.id))) await bucket?.remove(item);
    },
    read: async (item) => (await openForReading(await place(item))).createReadStream(),
    file: async (item) => DiskFile.open((await place(item)).path, item.mime),
    draft(id) {
      // In the same folder, so that a rename is enough.
      const draft = folder.in(`${UPLOAD_PREFIX}${id}`);
      let sink: Writable | undefined;
      return {
        sink: () => (sink = streamToNew(draft)),
        mime: async () => (await fileTypeFromFile(draft.path))?.mime,
        bytes: async () => (await statsAt(draft))?.size ?? 0,
        async keep() {
          const contents = bucket === undefined ? undefined : await hashFile(draft.path);
          if (contents !== undefined) await bucket?.put({ id, ...contents }, draft);
          await move(draft, folder.in(id));
          await syncFolder(folder);
          return contents === undefined ? {} : { sha256: contents.sha256 };
        },
        async discard() {
          // A stream that is destroyed early may still be about to create its file.
          if (sink !== undefined) await closed(sink);
          await removeFile(draft);
        },
      };
    },
  };
}

/** Fetches a file beside its place, so that a part of it is never taken for the file. */
async function fetchFile(bucket: Bucket, item: BucketItem, folder: Place): Promise<void> {
  const part = folder.in(`${UPLOAD_PREFIX}${item.id}`);
  await bucket.get(item, part);
  await move(part, folder.in(item.id));
}

async function closed(sink: Writable): Promise<void> {
  sink.destroy();
  if (!sink.closed) await new Promise<void>((resolve) => void sink.once("close", () => resolve()));
}

export function mediaInMemory(): MediaFiles {
  const kept = new Map<string, Buffer>();
  return {
    place: () => Promise.resolve(undefined),
    remove: ({ id }) => Promise.resolve(void kept.delete(id)),
    // oxlint-disable-next-line require-await
    read: async ({ id }) => Readable.from([kept.get(id) ?? Buffer.alloc(0)]),
    // oxlint-disable-next-line require-await
    file: async ({ id, mime }) => new Blob([new Uint8Array(kept.get(id) ?? [])], { type: mime }),
    draft(id) {
      const chunks: Buffer[] = [];
      const whole = (): Buffer => Buffer.concat(chunks);
      return {
        sink: () =>
          new Writable({
            write(chunk: Buffer, _encoding, done) {
              chunks.push(chunk);
              done();
            },
          }),
        mime: async () => (await fileTypeFromBuffer(whole()))?.mime,
        bytes: () => Promise.resolve(whole().length),
        keep() {
          kept.set(id, whole());
          return Promise.resolve({});
        },
        discard: () => Promise.resolve(),
      };
    },
  };
}
