/**
 * The bytes of media, in a folder or in memory. Also what each platform would have received, as files for people and
 * scripts.
 */

import type { WriteStream } from "node:fs";
import { Readable, Writable } from "node:stream";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import {
  createWhole,
  linkOrCopy,
  makeFolder,
  move,
  namesIn,
  openForReading,
  removeFile,
  removeFolder,
  statsAt,
  streamToNew,
  syncFolder,
} from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { type AnyFile, DiskFile } from "../../media/media-file.ts";
import { filledExtras } from "../../model/extras.ts";
import { errorCode } from "../../model/failure.ts";
import type { StoredMedia, StoredPost } from "./records.ts";

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

/** Writes a published post to the outbox. Repeating it gives the same result. */
export type Outbox = (post: StoredPost, platform: string, media: readonly StoredMedia[]) => Promise<void>;

/** For a store in memory, published posts are only on the page. */
export const noOutbox: Outbox = () => Promise.resolve();

/** A folder for each platform, with one for each post: `post.json`, and its media in order. */
export function createOutboxFolder(folder: Place, files: MediaFiles): Outbox {
  return async (post, platform, media) => {
    const entry = folder.in(platform, `${post.scheduled_at.replaceAll(":", "-")}_${post.id}`);
    // A crash may have left an incomplete file.
    await removeFolder(entry, folder);
    await makeFolder(entry);
    const names = media.map((item, index) => `${index + 1}.${extensionOf(item.mime)}`);
    await Promise.all(
      media.map((item, index) => putFile(files.place(item.id), entry.in(names[index] ?? item.id))),
    );
    const { id: post_id, content, scheduled_at } = post;
    const shown = { platform, post_id, scheduled_at, content, media: names, ...filledExtras(post) };
    const text = JSON.stringify(shown, null, 2);
    await createWhole(entry.in("post.json"), `${text}\n`);
  };
}

/**
 * A file with two names uses its space once. If the file system does not support that, it is copied. A file that
 * somebody removed from the store is missing in the outbox, but everything else is still published.
 */
async function putFile(from: Place | undefined, to: Place): Promise<void> {
  if (from === undefined) return;
  try {
    await linkOrCopy(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** The extension for a media type, such as `png`. */
function extensionOf(mime: string): string {
  return mime.split(/[^a-z0-9]/).at(-1) || "bin";
}
