/**
 * Reads and replaces the parts of a workbook, which is a ZIP archive. Only this file uses yauzl. The sizes in the
 * archive are not trusted: the unpacked bytes are counted, so a small file that unpacks to a huge file is refused.
 * Source: APPNOTE.TXT of PKWARE, 4.3.
 */

import { crc32, deflateRawSync } from "node:zlib";
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

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const DEFLATED = 8;
/** The sizes are after the data, as in archives that are written as a stream. */
const SIZES_FOLLOW = 0b1000;

interface DirectoryEntry {
  /** Fields of a part's record in the directory. */
  readonly at: number;
  readonly name: string;
  /** Offsets of a part's data and its local header. */
  readonly offset: number;
}

/** The archive with other bytes for a part; undefined if it has a form that plancast does not know. */
export function replacePart(archive: Uint8Array, part: string, contents: Uint8Array): Uint8Array | undefined {
  const zip = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + END_BYTES > zip.length) return undefined;
  const directory = zip.readUInt32LE(end + 16);
  const entries = entriesIn(zip, directory, zip.readUInt16LE(end + 10));
  const entry = entries?.find(({ name }) => name.toLowerCase() === part.toLowerCase());
  if (entries === undefined || entry === undefined || zip.readUInt32LE(entry.offset) !== LOCAL)
    return undefined;
  const next = Math.min(
    directory,
    ...entries.map(({ offset }) => offset).filter((each) => each > entry.offset),
  );
  const data = deflateRawSync(contents);
  const facts = { crc: crc32(contents), packed: data.length, size: contents.length };
  const head = Buffer.from(zip.subarray(entry.offset, entry.offset + localBytes(zip, entry.offset)));
  describe(head, 6, facts);
  const shift = head.length + data.length - (next - entry.offset);
  const rest = Buffer.from(zip.subarray(directory));
  for (const { at, offset } of entries) {
    if (offset > entry.offset) rest.writeUInt32LE(offset + shift, at - directory + 42);
    if (offset === entry.offset) describe(rest.subarray(at - directory), 8, facts);
  }
  rest.writeUInt32LE(directory + shift, end - directory + 16);
  return Buffer.concat([zip.subarray(0, entry.offset), head, data, zip.subarray(next, directory), rest]);
}

/** Undefined if the archive is invalid, or so large that it uses other records. */
function entriesIn(zip: Buffer, directory: number, count: number): DirectoryEntry[] | undefined {
  const entries: DirectoryEntry[] = [];
  let at = directory;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL) return undefined;
    const offset = zip.readUInt32LE(at + 42);
    if (offset === 0xffffffff || offset + 30 > zip.length) return undefined;
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const nameEnd = at + 46 + (name ?? 0);
    entries.push({ at, name: zip.toString("utf8", at + 46, nameEnd), offset });
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  return zip.readUInt32LE(at) === END ? entries : undefined;
}

function localBytes(zip: Buffer, offset: number): number {
  return 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
}

/**
 * Writes checksum and sizes into a header. @param flags offset of its flags; the other fields follow in a fixed order
 */
function describe(
  head: Buffer,
  flags: number,
  { crc, packed, size }: { readonly crc: number; readonly packed: number; readonly size: number },
): void {
  head.writeUInt16LE(head.readUInt16LE(flags) & ~SIZES_FOLLOW, flags);
  head.writeUInt16LE(DEFLATED, flags + 2);
  head.writeUInt32LE(crc, flags + 8);
  head.writeUInt32LE(packed, flags + 12);
  head.writeUInt32LE(size, flags + 16);
}
