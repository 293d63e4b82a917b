/** Why a picture cannot be converted, and the limits of what is decoded. */

/** Larger pictures are not decoded, px. The largest cameras have 61 million. Decoding HEIC needs about 8 bytes for each. */
export const MAX_PIXELS = 64_000_000;

/** A picture that cannot be converted. The message is the second half of a sentence: "it is damaged". */
export class PictureFault extends Error {}

export function tooManyPixels(pixels: number): PictureFault {
  return new PictureFault(
    `it has ${millions(pixels)} pixels, and plancast converts at most ${millions(MAX_PIXELS)}`,
  );
}

function millions(count: number): string {
  return `${Math.round(count / 1e6)} million`;
}
