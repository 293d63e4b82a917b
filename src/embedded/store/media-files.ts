/** The bytes of media, in a folder or in memory. */

import type { WriteStream } from "node:fs";
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
import { type AnyFile, DiskFile } from "../../media/media-file.ts";

/** A file that is still being written, and invisible until it is kept. */
interface MediaDraft {
  /** Receives the bytes; call it once. */
  sink(): Writable;
  /** The type of the bytes, such as `image/png`; undefined if unknown. */
  mime(): Promise<string | undefined>;
  bytes(): Promise<number>;
  /** When this resolves, the file is stored permanently. */
  keep(): Promise<void>;
  /** Removes the file, unless it was kept. */
  discard(): Promise<void>;
}

export interface MediaFiles {
  draft(id: string): MediaDraft;
  /** The bytes of a stored file. Rejects with the disk's error. */
  read(id: string): Promise<Readable>;
  /** Like `read`, for a request to a network. A file on the disk is read while it is sent. */
  file(id: string, mime: string): Promise<AnyFile>;
  /** Path of a stored file; undefined in memory. */
  place(id: string): Place | undefined;
}

/** Files that are still being received; leftovers of a crash are removed. */
const UPLOAD_PREFIX = ".upload-";

/** Creates the folder, and removes leftovers of uploads. */
export async function prepareMediaFolder(folder: Place): Promise<void> {
  await makeFolder(folder);
  const left = (await namesIn(folder)).filter((name) => name.startsWith(UPLOAD_PREFIX));
  await Promise.all(left.map((name) => removeFile(folder.in(name))));
}

export function mediaOnDisk(folder: Place): MediaFiles {
  return {
    place: (id) => folder.in(id),
    read: async (id) => (await openForReading(folder.in(id))).createReadStream(),
    file: (id, type) => DiskFile.open(folder.in(id).path, type),
    draft(id) {
      // In the same folder, so that a rename is enough.
      const draft = folder.in(`${UPLOAD_PREFIX}${id}`);
      let sink: WriteStream | undefined;
      return {
        sink: () => (sink = streamToNew(draft)),
        mime: async () => (await fileTypeFromFile(draft.path))?.mime,
        bytes: async () => (await statsAt(draft))?.size ?? 0,
        async keep() {
          await move(draft, folder.in(id));
          await syncFolder(folder);
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

async function closed(sink: WriteStream): Promise<void> {
  sink.destroy();
  if (!sink.closed) await new Promise<void>((resolve) => void sink.once("close", () => resolve()));
}

export function mediaInMemory(): MediaFiles {
  const kept = new Map<string, Buffer>();
  return {
    place: () => undefined,
    // oxlint-disable-next-line require-await
    read: async (id) => Readable.from([kept.get(id) ?? Buffer.alloc(0)]),
    // oxlint-disable-next-line require-await
    file: async (id, type) => new Blob([new Uint8Array(kept.get(id) ?? [])], { type }),
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
          return Promise.resolve();
        },
        discard: () => Promise.resolve(),
      };
    },
  };
}
