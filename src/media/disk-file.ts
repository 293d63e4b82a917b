/**
 * A file that is read while it is sent, in memory that is used again and again. A Blob takes new memory for each part, and
 * V8 frees it only after tens of megabytes.
 */

import { type FileHandle, open, readFile, stat } from "node:fs/promises";

const PART_BYTES = 65_536;
/**
 * How many parts are in memory. Their reader is never more than three parts behind: one that is being sent, and one on
 * each side of the stream in between.
 */
const PARTS = 8;

/** The bytes of a file, in order. Each part is valid until the reader has asked for a few more. */
export async function* partsOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const memory = Buffer.allocUnsafeSlow(PARTS * PART_BYTES);
  for (let turn = 0; ; turn += 1) {
    const start = (turn % PARTS) * PART_BYTES;
    const { bytesRead } = await file.read(memory, start, PART_BYTES);
    if (bytesRead === 0) return;
    yield memory.subarray(start, start + bytesRead);
  }
}

/** A file on the disk, or a small one in memory. */
export type AnyFile = DiskFile | Blob;

export class DiskFile {
  readonly path: string;
  /** Media type. */
  readonly type: string;
  readonly size: number;
  readonly #changedAt: number;

  private constructor(path: string, type: string, size: number, changedAt: number) {
    this.path = path;
    this.type = type;
    this.size = size;
    this.#changedAt = changedAt;
  }

  /** Rejects with the disk's error. */
  static async open(path: string, type: string): Promise<DiskFile> {
    const { size, mtimeMs } = await stat(path);
    return new DiskFile(path, type, size, mtimeMs);
  }

  /** Like `partsOf`. Throws if the file has changed since it was opened. */
  async *parts(): AsyncGenerator<Uint8Array> {
    const file = await open(this.path, "r");
    try {
      await this.#requireUnchanged(file);
      yield* partsOf(file);
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
    return new Uint8Array(await readFile(this.path)).buffer;
  }
}
