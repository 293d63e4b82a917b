/**
 * One part of a ZIP archive replaced: all other parts are copied as they are packed. The archive is one that was read
 * already. Source: APPNOTE.TXT of PKWARE, 4.3.
 */

import { crc32, deflateRawSync } from "node:zlib";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const DEFLATED = 8;
/** Sizes stand behind the data, as programs write them that do not know them before. */
const SIZES_FOLLOW = 0b1000;

interface Entry {
  /** Of its record in the directory. */
  readonly at: number;
  readonly name: string;
  /** Of its data, with what stands before them. */
  readonly offset: number;
}

/** The archive with other bytes for a part; undefined where it is written in a way that is not known here. */
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

/** Undefined for an archive so large that its numbers stand elsewhere, and for what is no directory. */
function entriesIn(zip: Buffer, directory: number, count: number): Entry[] | undefined {
  const entries: Entry[] = [];
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

/** Writes what the data are into a head. @param flags where its flags stand; all else follows them in one order */
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
