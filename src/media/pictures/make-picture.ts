/**
 * Converts pictures: they become smaller, upright and sRGB, and a type that a network takes. A calendar's pictures may come
 * from anybody. libvips runs in WebAssembly, so a picture cannot reach anything outside its memory.
 */

import type { MediaFile } from "../../model/post.ts";
import { MAX_PIXELS, PictureFault } from "./picture-fault.ts";
import type { PictureOptions, WrittenPicture } from "./vips.ts";

/** Larger files are not read, in bytes. */
const MAX_BYTES = 40_000_000;
/** Progressive pictures have about 10 parts. Each part visits all pixels. */
const MAX_SCANS = 100;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);

const HEIC: ReadonlySet<string> = new Set(["image/heic", "image/heif"]);
const DECODABLE: ReadonlySet<string> = new Set([
  ...HEIC,
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/tiff",
]);

/**
 * The pixels to decode, as far as the header says: 0 if it does not. Undefined for a type that cannot be decoded, a damaged
 * file, and a picture that is too large.
 */
export function decodablePixels({
  mime,
  bytes,
  facts: { width = 0, height = 0, damage } = {},
}: Pick<MediaFile, "mime" | "bytes" | "facts">): number | undefined {
  const pixels = width * height;
  if (damage !== undefined || bytes > MAX_BYTES || pixels > MAX_PIXELS) return undefined;
  return DECODABLE.has(mime) ? pixels : undefined;
}

/** Whether a picture can become smaller or another type, and still shows the same: an animation would stop. */
export function canConvert(file: Pick<MediaFile, "mime" | "bytes" | "facts">): boolean {
  const isAnimation = file.mime === "image/apng" || file.facts?.lengthMs !== undefined;
  return !isAnimation && decodablePixels(file) !== undefined;
}

/** Types of the result. Only JPEG has no transparency: what is behind it becomes white. */
const SUFFIX = { "image/webp": ".webp", "image/jpeg": ".jpg" } as const;

export type OutputType = keyof typeof SUFFIX;

/** The best one first. */
export const OUTPUT_TYPES = ["image/webp", "image/jpeg"] as const satisfies readonly OutputType[];

export interface PictureGoal extends Pick<PictureOptions, "quality" | "keepsNotes"> {
  readonly type: OutputType;
  /** Limit for the file. */
  readonly bytes?: number;
  /** Largest width and height to try, px, in this order. A smaller picture keeps its size. */
  readonly longestSides: readonly number[];
}

/**
 * Throws a PictureFault. An animation becomes its first picture.
 * @param bytes with at most 40 MB @param mime the media type of the content
 */
export async function makePicture(bytes: Buffer, mime: string, goal: PictureGoal): Promise<WrittenPicture> {
  if (mime === "image/jpeg" && hasTooManyScans(bytes)) throw new PictureFault("it has too many parts");
  const { openPicture } = await import("./vips.ts");
  const picture = await openPicture(bytes, HEIC.has(mime));
  try {
    const { type, bytes: limit = Infinity, longestSides } = goal;
    let longestMade = Infinity;
    for (const longest of longestSides) {
      // The result would be the same as the last one.
      if (longest >= longestMade) continue;
      const made = picture.write({ ...goal, longest, suffix: SUFFIX[type] });
      if (made.data.length <= limit) return made;
      longestMade = Math.max(made.width, made.height);
    }
    throw new PictureFault(`even its smallest version has more than ${limit} bytes`);
  } finally {
    picture.close();
  }
}

function hasTooManyScans(bytes: Buffer): boolean {
  let scans = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at !== -1; at = bytes.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  return scans > MAX_SCANS;
}
