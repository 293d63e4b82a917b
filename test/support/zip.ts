/** ZIP archives for tests, also ones that no program would write. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** Wrong facts about the entry in the archive. */
  readonly claim?: { readonly size?: number; readonly crc?: number };
  /** Bit 0 of the flags: the entry is encrypted. */
  readonly encrypted?: boolean;
}

/** An archive of deflated entries. */
export function zip(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data);
    const packed = deflateRawSync(data, { level: 1 });
    const size = entry.claim?.size ?? data.length;
    const common = Buffer.concat([
      uint16(20),
      uint16(entry.encrypted === true ? 0x0801 : 0x0800),
      uint16(8),
      uint32(0x5a21_0000),
      uint32(entry.claim?.crc ?? crc32(data)),
      uint32(packed.length),
      uint32(size),
      uint16(name.length),
      uint16(0),
    ]);
    const local = Buffer.concat([uint32(0x0403_4b50), common, name, packed]);
    const rest = Buffer.concat([uint16(0), uint16(0), uint16(0), uint32(0), uint32(offset)]);
    directory.push(Buffer.concat([uint32(0x0201_4b50), uint16(20), common, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [
    uint32(0x0605_4b50),
    uint16(0),
    uint16(0),
    count,
    count,
    uint32(central.length),
    uint32(offset),
  ];
  return new Uint8Array(Buffer.concat([...locals, central, ...end, uint16(0)]));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
