/** Draws a landscape, for sample pictures. */

import { crc32, deflateSync } from "node:zlib";

/** Side of the square on which a scene is laid out. */
export const SCENE_SIDE = 1080;

/** A sun over hills, on a square of SCENE_SIDE, y from the top. */
export interface Scene {
  readonly sky: { readonly top: Color; readonly bottom: Color };
  readonly sun: { readonly x: number; readonly y: number; readonly radius: number; readonly color: Color };
  /** From far to near: `height` is a hill's average height, `swell` its variation. */
  readonly hills: readonly {
    readonly color: Color;
    readonly height: number;
    readonly swell: number;
    readonly length: number;
    readonly shift: number;
  }[];
}

/** Where the sky reaches its bottom colour. */
const HORIZON = 700;

/** `share`, between 0 and 1, is how much of `over` covers `under`. */
function mix(under: Color, over: Color, share: number): Color {
  if (share <= 0) return under;
  if (share >= 1) return over;
  const [r, g, b] = under;
  return [r + (over[0] - r) * share, g + (over[1] - g) * share, b + (over[2] - b) * share];
}

/** The scene as a PNG file of that size: its full height, and as much of its width as fits. */
export function drawLandscape({ sky: { top, bottom }, sun, hills }: Scene, size: Size): Uint8Array {
  const scale = SCENE_SIDE / size.height;
  // A hill's edge depends only on x, so this is much faster than its sine for each pixel.
  const ranges = hills.map(({ color, height, swell, length, shift }) => ({
    color,
    edges: Array.from(
      { length: size.width },
      (_, column) => height - swell * Math.sin((column * scale) / length + shift),
    ),
  }));
  return encodePng(size, (line) => {
    const y = line * scale;
    const sky = mix(top, bottom, y / HORIZON);
    const isSunny = Math.abs(y - sun.y) < sun.radius + 1;
    // Colours are mixed within half a pixel of an edge, for a smooth look.
    return (column) => {
      const behindHills = isSunny
        ? mix(sky, sun.color, sun.radius - Math.hypot(column * scale - sun.x, y - sun.y) + 0.5)
        : sky;
      return ranges.reduce<Color>(
        (behind, { color, edges }) => mix(behind, color, y - (edges[column] ?? 0) + 0.5),
        behindHills,
      );
    };
  });
}

export type Color = readonly [red: number, green: number, blue: number];

/** Size in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A picture as a PNG file, RGB with 8 bits. `line` returns, for each y from the top, a function for the colour at each
 * x. Source of the format: https://www.w3.org/TR/png-3/
 */
function encodePng({ width, height }: Size, line: (y: number) => (x: number) => Color): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB, and the only defined compression, filter method and no interlacing
  const pixels = Buffer.concat(Array.from({ length: height }, (_, y) => filtered(width, line(y))));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One line of pixels with PNG filter 1: each byte minus that of the previous pixel, which is mostly 0. */
function filtered(width: number, colorAt: (x: number) => Color): Uint8Array {
  const bytes = new Uint8Array(1 + width * 3);
  bytes[0] = 1;
  let [beforeR, beforeG, beforeB] = [0, 0, 0];
  for (let x = 0; x < width; x += 1) {
    const color = colorAt(x);
    const [r, g, b] = [Math.round(color[0]), Math.round(color[1]), Math.round(color[2])];
    bytes[1 + x * 3] = r - beforeR;
    bytes[2 + x * 3] = g - beforeG;
    bytes[3 + x * 3] = b - beforeB;
    [beforeR, beforeG, beforeB] = [r, g, b];
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
