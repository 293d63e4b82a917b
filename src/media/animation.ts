/** How long an animated picture plays. A picture that does not move has no length. */

/** Browsers show a frame without a time for this long, ms. */
const USUAL_DELAY_MS = 100;
/** More frames than any real animation has. This limits the time for a hostile file. */
const MAX_FRAMES = 100_000;

/** In ms; undefined for a picture that does not move. @param mime the media type of the content */
export function animationMs(bytes: Buffer, mime: string): number | undefined {
  const delays = mime === "image/gif" ? gifDelays(bytes) : mime === "image/webp" ? webpDelays(bytes) : [];
  let frames = 0;
  let length = 0;
  for (const delay of delays) {
    frames += 1;
    length += delay === 0 ? USUAL_DELAY_MS : delay;
    if (frames === MAX_FRAMES) break;
  }
  return frames > 1 ? length : undefined;
}

const EXTENSION = 0x21;
const CONTROL = 0xf9;
const FRAME = 0x2c;

/** Source: the GIF89a specification: sections 18, 20 and 23. */
function* gifDelays(bytes: Buffer): Generator<number> {
  let at = 13 + paletteBytes(bytes[10]);
  let delay = 0;
  for (;;) {
    const block = bytes[at];
    if (block === EXTENSION) {
      if (bytes[at + 1] === CONTROL && at + 6 <= bytes.length) delay = bytes.readUInt16LE(at + 4) * 10;
      at = afterParts(bytes, at + 2);
    } else if (block === FRAME && at + 10 < bytes.length) {
      yield delay;
      delay = 0;
      // The frame's own palette, and a byte before its parts.
      at = afterParts(bytes, at + 10 + paletteBytes(bytes[at + 9]) + 1);
    } else return;
  }
}

/** Flags say whether there is a palette, and its size. */
function paletteBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Each part begins with its length. An empty part is the last one. */
function afterParts(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length !== 0; length = bytes[at] ?? 0) at += length + 1;
  return at + 1;
}

/** Source: WebP Container Specification, "Animation": the duration is in the chunk of each frame. */
function* webpDelays(bytes: Buffer): Generator<number> {
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "ANMF" && at + 23 <= bytes.length)
      yield bytes.readUIntLE(at + 20, 3);
    at += 8 + length + (length % 2);
  }
}
