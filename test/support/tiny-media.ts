/** Small files of the media types that services take, generated. Each seed (0 to 2^32 - 1) gives other bytes. */
import { crc32, deflateSync } from "node:zlib";
import { box, jpeg, mp4 } from "./sized-media.ts";

/** A complete PNG image of four by four pixels, the smallest that X accepts. */
export function tinyPng(seed = 0): Uint8Array {
  const header = Buffer.concat([uint32(4), uint32(4), Buffer.from([8, 2, 0, 0, 0])]);
  // Per line a filter byte and four RGB pixels; the seed is in the first four of all colour bytes.
  const pixels = Buffer.concat([Buffer.from([0]), uint32(seed), Buffer.alloc(8, 9), Buffer.alloc(3 * 13)]);
  return bytesOf(
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  );
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.byteLength), body, uint32(crc32(body))]);
}

/** A whole GIF image of one pixel, with the seed in a comment. */
export function tinyGif(seed = 0): Uint8Array {
  return bytesOf(
    Buffer.from("GIF89a", "latin1"),
    // One by one, a palette of two colours.
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]),
    Buffer.from([0x21, 0xfe, 4]),
    uint32(seed),
    Buffer.from([0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  );
}

/** The markers of a JPEG file, with the seed in a comment: no picture can be shown. */
export function tinyJpeg(seed = 0): Uint8Array {
  return jpeg(4, 4, { comment: uint32(seed) });
}

/** The boxes of an MP4 file of one second, and one of free space with the seed: there is nothing to see in it. */
export function tinyMp4(seed = 0): Uint8Array {
  return bytesOf(mp4(1), box("free", uint32(seed)));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
