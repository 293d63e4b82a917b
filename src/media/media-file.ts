/**
 * A media file on the disk: its hash, type, dimensions, length and damage, found with limited reading, and its bytes, read
 * while they are sent.
 */

import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { createReadStream, open, readFile } from "../disk/machine.ts";
import type { MediaFacts } from "../model/post.ts";
import type { FileBytes } from "./header-facts.ts";
import { type Patch, applyPatches, privatePatches } from "./private-facts.ts";

export interface FileContents {
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type by the bytes; undefined if it is unknown. */
  readonly mime: string | undefined;
}

/** This many bytes are enough to know the type of a picture or video. */
const HEAD_BYTES = 65_536;
const TIFF = /^(?:II\*\0|MM\0\*)/;
/** Size of a read for the hash. Memory of this size is allocated for each one, so a larger size would be slower for pictures. */
const HASH_PART_BYTES = 262_144;

/** Reads a file once, as a stream. */
export async function hashFile(path: string): Promise<FileContents> {
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  let bytes = 0;
  for await (const part of createReadStream(path, { highWaterMark: HASH_PART_BYTES })) {
    if (!(part instanceof Buffer)) continue;
    if (bytes < HEAD_BYTES) head.push(part.subarray(0, HEAD_BYTES - bytes));
    hash.update(part);
    bytes += part.length;
  }
  const { fileTypeFromBuffer, fileTypeFromFile } = await import("file-type");
  const start = Buffer.concat(head);
  const found = await fileTypeFromBuffer(start);
  // Most programs write at the end of a TIFF what kind of TIFF it is.
  const type =
    found ?? (TIFF.test(start.toString("latin1", 0, 4)) ? await fileTypeFromFile(path) : undefined);
  return { sha256: hash.digest("hex"), bytes, mime: type?.mime };
}

export interface ReadMedia extends FileContents {
  readonly facts: MediaFacts;
}

/** A file's hash, size and type, and the facts in its header. */
export async function readMedia(path: string): Promise<ReadMedia> {
  const contents = await hashFile(path);
  return { ...contents, facts: contents.mime === undefined ? {} : await readFacts(path, contents.mime) };
}

/** Whether bytes of this type are a picture or a video. */
export function isMedia(mime: string | undefined): mime is `image/${string}` | `video/${string}` {
  return mime?.startsWith("image/") === true || mime?.startsWith("video/") === true;
}

/** Bytes to check for the start of a web page. */
const PAGE_HEAD = 2048;

/** What a checkout has instead of a file while Git LFS has not loaded it (git-lfs, docs/spec.md). */
export const LFS_POINTER = /^version https:\/\/git-lfs/;

/** Whether a file of unknown type is a web page: hosts often send one instead of a file. */
export async function isWebPage(path: string): Promise<boolean> {
  return /<(?:!doctype\s+html|html|head|body)[\s>]/i.test(await startOf(path));
}

/** Whether Git LFS has not yet put the file itself into the checkout. */
export async function isLfsPointer(path: string): Promise<boolean> {
  return LFS_POINTER.test(await startOf(path));
}

/** The first bytes, as Latin-1. */
async function startOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_HEAD), 0, PAGE_HEAD, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Reads the header of a file. The bytes are untrusted: unreadable facts are absent, and never an error.
 * @param mime the media type of the content
 */
export async function readFacts(path: string, mime: string): Promise<MediaFacts> {
  const handle = await open(path, "r");
  try {
    return await factsIn(await bytesIn(handle, (await handle.stat()).size), mime);
  } finally {
    await handle.close();
  }
}

async function bytesIn(handle: FileHandle, size: number): Promise<FileBytes> {
  const { fileBytes } = await import("./header-facts.ts");
  return fileBytes(handle, size);
}

/** The facts in the header of a file. */
export function factsOf(bytes: AnyFile): Promise<MediaFacts> {
  if (bytes instanceof DiskFile) return readFacts(bytes.path, bytes.type);
  const read: FileBytes["read"] = async (start, length) =>
    Buffer.from(await bytes.slice(start, start + length).arrayBuffer());
  return factsIn({ size: bytes.size, read }, bytes.type);
}

async function factsIn(file: FileBytes, mime: string): Promise<MediaFacts> {
  const facts = await import("./header-facts.ts");
  switch (mime) {
    case "video/mp4":
    case "video/quicktime":
    case "video/x-m4v":
      return facts.mp4Facts(file);
    case "video/webm":
    case "video/matroska":
      return facts.matroskaFacts(file);
    default:
      return mime.startsWith("image/") ? facts.pictureFacts(file, mime) : {};
  }
}

/** A file on the disk, or a small one in memory. */
export type AnyFile = DiskFile | Blob;

/** A file that is read while it is sent, without what its camera noted about place and owner. */
export class DiskFile {
  readonly path: string;
  /** Media type. */
  readonly type: string;
  readonly size: number;
  readonly #changedAt: number;
  readonly #patches: readonly Patch[];

  private constructor(
    { path, type }: Pick<DiskFile, "path" | "type">,
    { size, mtimeMs }: Pick<Stats, "size" | "mtimeMs">,
    patches: readonly Patch[],
  ) {
    this.path = path;
    this.type = type;
    this.size = size;
    this.#changedAt = mtimeMs;
    this.#patches = patches;
  }

  /** Rejects with the disk's error. */
  static async open(path: string, type: string): Promise<DiskFile> {
    const file = await open(path, "r");
    try {
      const stats = await file.stat();
      const patches = isMedia(type) ? await privatePatches(await bytesIn(file, stats.size), type) : [];
      return new DiskFile({ path, type }, stats, patches);
    } finally {
      await file.close();
    }
  }

  /** Like `partsOf`. Throws if the file has changed since it was opened. */
  async *parts(): AsyncGenerator<Uint8Array> {
    const file = await open(this.path, "r");
    try {
      await this.#requireUnchanged(file);
      let offset = 0;
      for await (const part of partsOf(file)) {
        applyPatches(part, offset, this.#patches);
        offset += part.length;
        yield part;
      }
    } finally {
      await file.close();
    }
  }

  async #requireUnchanged(file: FileHandle): Promise<void> {
    const { size, mtimeMs } = await file.stat();
    if (size !== this.size || mtimeMs !== this.#changedAt) throw new Error("the file has changed");
  }

  /** All bytes, for a file that is small. */
  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(await readFile(this.path));
    applyPatches(bytes, 0, this.#patches);
    return bytes.buffer;
  }
}

/** Size of a read for sending. */
const PART_BYTES = 65_536;
/**
 * How many parts are in memory. Their reader is never more than three parts behind: one that is being sent, and one on
 * each side of the stream in between.
 */
const PARTS = 8;

/**
 * The bytes of a file, in order, in memory that is used again and again: each part is valid until the reader has asked for
 * a few more. A Blob takes new memory for each part, and V8 frees it only after tens of megabytes.
 */
export async function* partsOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const memory = Buffer.allocUnsafeSlow(PARTS * PART_BYTES);
  for (let turn = 0; ; turn += 1) {
    const start = (turn % PARTS) * PART_BYTES;
    const { bytesRead } = await file.read(memory, start, PART_BYTES);
    if (bytesRead === 0) return;
    yield memory.subarray(start, start + bytesRead);
  }
}
