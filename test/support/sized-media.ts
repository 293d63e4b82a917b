/**
 * Generated small files of given dimensions and lengths. Their headers are complete, and their pictures are mostly
 * grey.
 */
import { crc32, deflateSync } from "node:zlib";

export function png(width: number, height: number, note = ""): Uint8Array {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  return bytesOf(
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("tEXt", Buffer.from(`Comment\0${note}`, "latin1")),
    pngChunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk("IEND", Buffer.alloc(0)),
  );
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.byteLength), body, uint32(crc32(body))]);
}

export interface JpegOptions {
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number;
  /** A picture within the header, with its own end. */
  readonly thumbnail?: Uint8Array;
  /** Bytes of the picture itself. */
  readonly scan?: number;
  readonly comment?: Uint8Array;
}

/** All markers of a JPEG. The scan between them cannot be shown. */
export function jpeg(width: number, height: number, options: JpegOptions = {}): Uint8Array {
  const { orientation, thumbnail, scan = 32, comment } = options;
  return bytesOf(
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    ...(orientation === undefined ? [] : [jpegSegment(0xe1, exif(orientation))]),
    ...(thumbnail === undefined ? [] : [jpegSegment(0xe2, thumbnail)]),
    ...(comment === undefined ? [] : [jpegSegment(0xfe, comment)]),
    jpegSegment(0xc0, bytesOf(Buffer.from([8]), uint16(height), uint16(width), Buffer.from([1, 1, 0x11, 0]))),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(scan, 0x55),
    Buffer.from([0xff, 0xd9]),
  );
}

function jpegSegment(marker: number, data: Uint8Array): Uint8Array {
  return bytesOf(Buffer.from([0xff, marker]), uint16(data.length + 2), data);
}

/** The header of a TIFF with one entry: tag 0x112, a SHORT. */
function exif(orientation: number): Uint8Array {
  return bytesOf(
    Buffer.from("Exif\0\0MM\0*", "latin1"),
    uint32(8),
    uint16(1),
    uint16(0x112),
    uint16(3),
    uint32(1),
    uint16(orientation),
    uint16(0),
    uint32(0),
  );
}

export function gif(width: number, height: number): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return bytesOf(
    Buffer.from("GIF89a", "latin1"),
    size,
    Buffer.from([
      0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b,
    ]),
  );
}

/** A lossless WebP's header; what follows is no picture. */
export function webp(width: number, height: number): Uint8Array {
  const bits = Buffer.alloc(5 + 15);
  bits[0] = 0x2f;
  bits.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  const chunk = bytesOf(Buffer.from("WEBPVP8L", "latin1"), uint32le(bits.length), bits);
  return bytesOf(Buffer.from("RIFF", "latin1"), uint32le(chunk.length), chunk);
}

export interface FilmOptions {
  /** Of the movie header: Version 1 has times of 64 bits. */
  readonly version?: 0 | 1;
  /** The movie header behind the pictures, as cameras write it. */
  readonly headerLast?: boolean;
  readonly brand?: string;
  /** Bytes of the pictures. */
  readonly data?: number;
  /** A track of sound, and one of pictures with this size, px. Phones write films sideways, with a quarter turn. */
  readonly size?: { readonly width: number; readonly height: number; readonly isTurned?: boolean };
}

/** The boxes of a film; there is nothing to see in it. */
export function mp4(seconds: number, options: FilmOptions = {}): Uint8Array {
  const { version = 0, headerLast = false, brand = "isom", data = 64, size } = options;
  const times =
    version === 0
      ? [uint32(0), uint32(0), uint32(600), uint32(seconds * 600)]
      : [uint64(0), uint64(0), uint32(600), uint64(seconds * 600)];
  const header = box("mvhd", bytesOf(Buffer.from([version, 0, 0, 0]), ...times, Buffer.alloc(80)));
  const tracks = size === undefined ? [] : [track(version, { width: 0, height: 0 }), track(version, size)];
  const movie = box("moov", bytesOf(box("free", Buffer.alloc(3)), header, ...tracks));
  const pictures = box("mdat", Buffer.alloc(data, 0x55));
  const start = box("ftyp", bytesOf(Buffer.from(brand, "latin1"), uint32(512), Buffer.from(brand, "latin1")));
  return bytesOf(start, ...(headerLast ? [pictures, movie] : [movie, pictures]));
}

function track(
  version: 0 | 1,
  { width, height, isTurned = false }: NonNullable<FilmOptions["size"]>,
): Uint8Array {
  const times = Buffer.alloc(version === 0 ? 20 : 32);
  const one = uint32(65_536);
  const none = uint32(0);
  const turn = isTurned ? [none, one, none, uint32(-65_536 >>> 0), none] : [one, none, none, none, one];
  const matrix = bytesOf(...turn, none, none, none, uint32(2 ** 30));
  const sides = bytesOf(uint32(width * 65_536), uint32(height * 65_536));
  const flags = Buffer.from([version, 0, 0, 3]);
  const header = box("tkhd", bytesOf(flags, times, Buffer.alloc(16), matrix, sides));
  return box("trak", bytesOf(box("free", Buffer.alloc(5)), header));
}

export function box(type: string, data: Uint8Array): Uint8Array {
  return bytesOf(uint32(data.length + 8), Buffer.from(type, "latin1"), data);
}

/**
 * A WebM film's head: EBML header, segment of unknown length, information with ticks of 1 ms, and perhaps tracks.
 * @param video what the track of pictures says: ids, each with a number
 */
export function webm(seconds: number, video: readonly (readonly [number[], number])[] = []): Uint8Array {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const info = bytesOf(
    element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40])),
    element([0x44, 0x89], duration),
  );
  const sound = element([0xae], element([0xe1], Buffer.alloc(2)));
  const sizes = video.map(([id, value]) => element(id, uint16(value)));
  const pictures = element([0xae], element([0xe0], bytesOf(...sizes)));
  return bytesOf(
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from("webm", "latin1"))),
    Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    element([0xec], Buffer.alloc(9)),
    element([0x15, 0x49, 0xa9, 0x66], info),
    element([0x16, 0x54, 0xae, 0x6b], bytesOf(sound, pictures)),
  );
}

/** Short contents, so that one byte can hold their length. */
function element(id: readonly number[], data: Uint8Array): Uint8Array {
  return bytesOf(Buffer.from(id), Buffer.from([0x80 | data.length]), data);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
