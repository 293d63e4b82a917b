/** The hash and the media type of a file's content. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";

export interface FileContents {
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type by the bytes; undefined if it is unknown. */
  readonly mime: string | undefined;
}

/** This many bytes are enough to know the type of a picture or video. */
const HEAD_BYTES = 65_536;
/** Size of a read. Memory of this size is allocated for each one, so a larger size would be slower for pictures. */
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

/** A file for reading facts in small parts, at any offset. */
export interface FileBytes {
  readonly size: number;
  /** The bytes from `start` on; fewer than requested only at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

/** Size of a part for searching. */
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

/** Whether the bytes occur anywhere from `start` to the end of the file. */
export async function containsBytes(file: FileBytes, start: number, sought: Buffer): Promise<boolean> {
  for (let at = start; at < file.size; at += STEP) {
    // Parts overlap, to find matches across their border.
    if ((await file.read(at, STEP + sought.length - 1)).includes(sought)) return true;
  }
  return false;
}
