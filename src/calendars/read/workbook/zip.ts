/**
 * The parts of a workbook, which is a ZIP archive. This is the only file that knows yauzl. What the archive says of
 * itself is not believed: the bytes that come out are counted, and a small file that unpacks without end is refused.
 */

import { crc32 } from "node:zlib";
import { type Entry, type ZipFile, fromBufferPromise } from "yauzl";
import { WorkbookFault, damaged, passwordNeeded, tooLarge } from "./workbook.ts";

/** Bytes that may be unpacked in all. A calendar of 100,000 rows takes a quarter of it. */
const MAX_UNPACKED_BYTES = 200 * 1_048_576;

/** Parts that an archive may have. A workbook has some dozens. */
const MAX_PARTS = 10_000;

/** Begins the record at an archive's end, which has at least 22 bytes, and a comment of 64 kB at most. */
const END_RECORD = "PK\u0005\u0006";

export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the archive's directory. Throws a WorkbookFault. */
  static async open(bytes: Uint8Array): Promise<ZipParts> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!buffer.subarray(-(22 + 0xff_ff), -18).includes(END_RECORD)) throw damaged("it ends too soon");
    const zip = await fromBufferPromise(buffer).catch((error: unknown) => {
      throw damaged(reasonOf(error));
    });
    if (zip.entryCount > MAX_PARTS) throw tooLarge(`it has ${zip.entryCount} parts`);
    return new ZipParts(zip, await readEntries(zip));
  }

  /** Names of parts, in lower case: they are the same in any. */
  names(): IterableIterator<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** The bytes of a part, piece by piece. Throws a WorkbookFault. */
  async *read(name: string): AsyncGenerator<Uint8Array, void> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw damaged(`its part ${name} is missing`);
    if (this.#unpacked + entry.uncompressedSize > MAX_UNPACKED_BYTES) throw unpacksTooFar();
    const stream = await this.#zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw damaged(reasonOf(error));
    });
    let checksum = 0;
    try {
      const chunks: AsyncIterable<Buffer> = stream;
      for await (const chunk of chunks) {
        this.#unpacked += chunk.length;
        if (this.#unpacked > MAX_UNPACKED_BYTES) throw unpacksTooFar();
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof WorkbookFault ? error : damaged(reasonOf(error));
    } finally {
      stream.destroy();
    }
    if (checksum !== entry.crc32) throw damaged(`the checksum of ${entry.fileName} is wrong`);
  }
}

async function readEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      if (entry.isEncrypted()) throw passwordNeeded();
      if (entries.has(name)) throw damaged(`it holds ${entry.fileName} twice`);
      entries.set(name, entry);
    }
  } catch (error) {
    throw error instanceof WorkbookFault ? error : damaged(reasonOf(error));
  }
  return entries;
}

function unpacksTooFar(): WorkbookFault {
  return tooLarge(`unpacked it is more than ${MAX_UNPACKED_BYTES / 1_048_576} MB`);
}

/** The library's own words, made to stand within a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
}
