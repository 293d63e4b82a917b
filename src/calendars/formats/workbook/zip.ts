/**
 * The parts of a workbook, which is a ZIP archive. Only this file uses yauzl, which reads parts as streams, and fflate,
 * which writes. The sizes in the archive are not trusted: the unpacked bytes are counted, so a small file that unpacks to
 * a huge file is refused.
 */

import { crc32 } from "node:zlib";
import { type UnzipFileInfo, unzipSync, zipSync } from "fflate";
import { type Entry, type ZipFile, fromBufferPromise } from "yauzl";
import { WorkbookFault, damaged, passwordNeeded, tooLarge } from "./workbook.ts";

/** Total bytes that may be unpacked. A calendar of 100,000 rows needs a quarter of it. */
const MAX_UNPACKED_BYTES = 200 * 1_048_576;

/** Maximum number of parts of an archive. A workbook has a few dozen. */
const MAX_PARTS = 10_000;

/** Signature of the record at an archive's end, which has at least 22 bytes, and a comment of at most 64 kB. */
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

  /** Names of parts, in lower case: case does not count. */
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
      if (entries.has(name)) throw damaged(`it contains ${entry.fileName} twice`);
      entries.set(name, entry);
    }
  } catch (error) {
    throw error instanceof WorkbookFault ? error : damaged(reasonOf(error));
  }
  return entries;
}

function unpacksTooFar(): WorkbookFault {
  return tooLarge(`it is larger than ${MAX_UNPACKED_BYTES / 1_048_576} MB unpacked`);
}

/** The library's message, for use inside a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
}

/** The archive with other bytes for a part. Throws a WorkbookFault if some part cannot be unpacked. */
export function replacePart(archive: Uint8Array, part: string, contents: Uint8Array): Uint8Array {
  const files = unpackedParts(archive);
  const name = Object.keys(files).find((each) => each.toLowerCase() === part.toLowerCase()) ?? part;
  return zipParts({ ...files, [name]: contents });
}

function unpackedParts(archive: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let unpacked = 0;
  // The library writes no more bytes than the archive says.
  const filter = ({ originalSize }: UnzipFileInfo): boolean => {
    unpacked += originalSize;
    return unpacked <= MAX_UNPACKED_BYTES;
  };
  try {
    const files = unzipSync(archive, { filter });
    if (unpacked <= MAX_UNPACKED_BYTES) return files;
  } catch (error) {
    throw damaged(reasonOf(error));
  }
  throw unpacksTooFar();
}

/** An archive of parts. Its times are fixed, so that equal parts give equal bytes and git sees no change. */
export function zipParts(parts: Readonly<Record<string, Uint8Array>>): Uint8Array {
  return zipSync({ ...parts }, { level: 6, mtime: new Date(1980, 0, 1) });
}
