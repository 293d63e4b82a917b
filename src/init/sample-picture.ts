import { crc32, deflateSync } from "node:zlib";

/** Side of the picture, px: what every network shows whole. */
const SIDE = 1080;

type Color = readonly [red: number, green: number, blue: number];

const SKY = { top: [74, 64, 134], bottom: [255, 186, 142] } as const satisfies Record<string, Color>;
const SUN = { x: 690, y: 470, radius: 150, color: [255, 236, 205] as Color };
/** From far to near: `height` px is where a hill stands on average, `swell` how far it goes up and down. */
const HILLS: readonly { color: Color; height: number; swell: number; length: number; shift: number }[] = [
  { color: [196, 116, 118], height: 640, swell: 50, length: 330, shift: 0.4 },
  { color: [128, 74, 104], height: 770, swell: 64, length: 250, shift: 2.6 },
  { color: [58, 44, 78], height: 915, swell: 46, length: 300, shift: 4.4 },
];

/** `share` is how much of `over` covers `under`; what lies outside 0 to 1 counts as its end. */
function mix(under: Color, over: Color, share: number): Color {
  if (share <= 0) return under;
  if (share >= 1) return over;
  const [r, g, b] = under;
  return [r + (over[0] - r) * share, g + (over[1] - g) * share, b + (over[2] - b) * share];
}

function colorAt(x: number, y: number, sky: Color): Color {
  // Half a pixel on either side of an edge is where it is mixed, so that it looks smooth.
  const sun = mix(sky, SUN.color, SUN.radius - Math.hypot(x - SUN.x, y - SUN.y) + 0.5);
  return HILLS.reduce<Color>((behind, { color, height, swell, length, shift }) => {
    const edge = height - swell * Math.sin(x / length + shift);
    return mix(behind, color, y - edge + 0.5);
  }, sun);
}

/** One line of pixels with PNG filter 1: each byte as its distance from the pixel before, which is mostly 0. */
function line(y: number): Uint8Array {
  const bytes = new Uint8Array(1 + SIDE * 3);
  bytes[0] = 1;
  const sky = mix(SKY.top, SKY.bottom, y / 700);
  let before: Color = [0, 0, 0];
  for (let x = 0; x < SIDE; x += 1) {
    const [r, g, b] = colorAt(x, y, sky);
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

/**
 * The picture of the sample calendar: a sunset over hills, 1080 by 1080 pixels. It is drawn here because a file of
 * bytes in the package would be one more thing to carry.
 *
 * @returns a PNG file of some 20 kB. Source of the format: https://www.w3.org/TR/png-3/
 */
export function samplePicture(): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB, and the only compression, filter and order that need no choice
  const pixels = Buffer.concat(Array.from({ length: SIDE }, (_, y) => line(y)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
