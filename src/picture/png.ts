import { crc32, deflateSync } from "node:zlib";

export type Color = readonly [red: number, green: number, blue: number];

/** Size in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A picture as a PNG file, RGB with 8 bits. `line` gives for each y, from the top, what gives the colour at each x.
 * Source of the format: https://www.w3.org/TR/png-3/
 */
export function encodePng({ width, height }: Size, line: (y: number) => (x: number) => Color): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB, and the only compression, filter and order that need no choice
  const pixels = Buffer.concat(Array.from({ length: height }, (_, y) => filtered(width, line(y))));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One line of pixels with PNG filter 1: each byte as its distance from the pixel before, which is mostly 0. */
function filtered(width: number, colorAt: (x: number) => Color): Uint8Array {
  const bytes = new Uint8Array(1 + width * 3);
  bytes[0] = 1;
  let before: Color = [0, 0, 0];
  for (let x = 0; x < width; x += 1) {
    const [r, g, b] = colorAt(x);
    const color: Color = [Math.round(r), Math.round(g), Math.round(b)];
    bytes.set([color[0] - before[0], color[1] - before[1], color[2] - before[2]], 1 + x * 3);
    before = color;
  }
  return bytes;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const framed = Buffer.alloc(12 + data.length);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, "latin1");
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}
