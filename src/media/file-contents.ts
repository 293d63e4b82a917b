/** The hash and the media type of a file, by its bytes. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";

export interface FileContents {
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type by the bytes; undefined when they are of no known type. */
  readonly mime: string | undefined;
}

/** The type of a picture or video shows within this many bytes. */
const HEAD_BYTES = 65_536;
/** Read at a time. Memory of this size is taken for every part, so that more would cost more than it saves with pictures. */
const PART_BYTES = 262_144;

/** Reads a file once, as a stream. */
export async function hashFile(path: string): Promise<FileContents> {
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  let bytes = 0;
  for await (const part of createReadStream(path, { highWaterMark: PART_BYTES })) {
    if (!(part instanceof Buffer)) continue;
    if (bytes < HEAD_BYTES) head.push(part.subarray(0, HEAD_BYTES - bytes));
    hash.update(part);
    bytes += part.length;
  }
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(Buffer.concat(head));
  return { sha256: hash.digest("hex"), bytes, mime: type?.mime };
}

/** A file as facts are read from it: in small parts, at any place. */
export interface FileBytes {
  readonly size: number;
  /** The bytes from `start` on; fewer than asked for only where the file ends. */
  read(start: number, length: number): Promise<Buffer>;
}

/** How much is searched at once. */
const STEP = 1024 * 1024;

export function fileBytes(handle: FileHandle, size: number): FileBytes {
  return {
    size,
    read: async (start, length) => {
      const wanted = Math.max(0, Math.min(length, size - start));
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, start);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** Whether the bytes stand anywhere from `start` to the end of the file. */
export async function containsBytes(file: FileBytes, start: number, sought: Buffer): Promise<boolean> {
  for (let at = start; at < file.size; at += STEP) {
    // Parts overlap, so that what is sought is found across their border.
    if ((await file.read(at, STEP + sought.length - 1)).includes(sought)) return true;
  }
  return false;
}
