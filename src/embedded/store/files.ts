/**
 * Where the bytes of media are, in a folder or in memory; and what each platform would have got, as files that people and
 * scripts can look at.
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
import { errorCode } from "../../model/failure.ts";
import type { StoredMedia, StoredPost } from "./records.ts";

/** A file that is still being written: nobody sees it before it is kept. */
interface MediaDraft {
  /** Takes the bytes; asked for once. */
  sink(): Writable;
  /** What the bytes are, such as `image/png`; undefined for what is not known. */
  mime(): Promise<string | undefined>;
  bytes(): Promise<number>;
  /** From when this resolves, the file lasts. */
  keep(): Promise<void>;
  /** Leaves nothing of what was not kept. */
  discard(): Promise<void>;
}

export interface MediaFiles {
  draft(id: string): MediaDraft;
  /** The bytes of a file that was kept. Rejects with the disk's error. */
  read(id: string): Promise<Readable>;
  /** Where a file is that was kept; undefined for one in memory. */
  place(id: string): Place | undefined;
}

/** Files that are still being received; those that a crash left behind are removed. */
const UPLOAD_PREFIX = ".upload-";

/** Makes the folder, and removes from it what a crash left of uploads. */
export async function prepareMediaFolder(folder: Place): Promise<void> {
  await makeFolder(folder);
  const left = (await namesIn(folder)).filter((name) => name.startsWith(UPLOAD_PREFIX));
  await Promise.all(left.map((name) => removeFile(folder.in(name))));
}

export function mediaOnDisk(folder: Place): MediaFiles {
  return {
    place: (id) => folder.in(id),
    read: async (id) => (await openForReading(folder.in(id))).createReadStream(),
    draft(id) {
      // In the same folder, so that a rename puts it in place.
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
          // One that is destroyed early may still be about to make its file.
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

/** Puts a post that was published where it can be looked at. Done again for the same post, it comes to the same. */
export type Outbox = (post: StoredPost, platform: string, media: readonly StoredMedia[]) => Promise<void>;

/** Of a store in memory: what was published shows on the page alone. */
export const noOutbox: Outbox = () => Promise.resolve();

/** A folder for each platform, in it one for each post: `post.json`, and its media in their order. */
export function createOutboxFolder(folder: Place, files: MediaFiles): Outbox {
  return async (post, platform, media) => {
    const entry = folder.in(platform, `${post.scheduled_at.replaceAll(":", "-")}_${post.id}`);
    // A crash may have left half of it.
    await removeFolder(entry, folder);
    await makeFolder(entry);
    const names = media.map((item, index) => `${index + 1}.${extensionOf(item.mime)}`);
    await Promise.all(
      media.map((item, index) => putFile(files.place(item.id), entry.in(names[index] ?? item.id))),
    );
    const { id: post_id, content, scheduled_at } = post;
    const text = JSON.stringify({ platform, post_id, scheduled_at, content, media: names }, null, 2);
    await createWhole(entry.in("post.json"), `${text}\n`);
  };
}

/**
 * One file under two names takes its space once; where the file system knows no such, it is copied. A file that
 * somebody removed from the store is missing in the outbox, and keeps nothing else from being published.
 */
async function putFile(from: Place | undefined, to: Place): Promise<void> {
  if (from === undefined) return;
  try {
    await linkOrCopy(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Such as `png`, of a media type that was told from the bytes. */
function extensionOf(mime: string): string {
  return mime.split(/[^a-z0-9]/).at(-1) || "bin";
}
