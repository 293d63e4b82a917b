import type { FileHandle } from "node:fs/promises";

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
    // oxlint-disable-next-line no-await-in-loop
    if ((await file.read(at, STEP + sought.length - 1)).includes(sought)) return true;
  }
  return false;
}
