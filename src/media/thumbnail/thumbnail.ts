/**
 * Smaller versions of pictures, for a page that is one file, and for networks with a limit. Only pictures of a bounded
 * size are decoded, whatever their bytes are, because a calendar's pictures may come from anybody.
 */

import type { MediaFile } from "../../model/post.ts";
import type { DecodableType } from "./codecs.ts";

/** Width or height of a thumbnail, px: a card on the page is not wider. */
const LONGEST = 600;
/** Larger pictures are not decoded, px. While a picture is made smaller, each pixel needs about 20 bytes of memory. */
const MAX_PIXELS = 25_000_000;
/** Larger files are not read, in bytes. */
const MAX_BYTES = 40_000_000;
/** Progressive pictures have about 10 parts. Each part visits all pixels. */
const MAX_SCANS = 100;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);

const DECODABLE: ReadonlySet<string> = new Set<DecodableType>(["image/jpeg", "image/png", "image/webp"]);

/** What a thumbnail is made of: a file whose header is known. */
export interface ThumbnailSource {
  readonly type: DecodableType;
  /** The amount of work that it needs. */
  readonly pixels: number;
}

/** Undefined for a type that cannot be decoded, a damaged file, and a picture that is too large. */
export function thumbnailSource({
  mime,
  bytes,
  facts = {},
}: Pick<MediaFile, "mime" | "bytes" | "facts">): ThumbnailSource | undefined {
  const { width, height, damage } = facts;
  if (width === undefined || height === undefined || damage !== undefined || bytes > MAX_BYTES)
    return undefined;
  const pixels = width * height;
  return isDecodable(mime) && pixels <= MAX_PIXELS ? { type: mime, pixels } : undefined;
}

function isDecodable(mime: string): mime is DecodableType {
  return DECODABLE.has(mime);
}

/**
 * The picture as WebP. Undefined if it is broken, or its header promises a different size than it has.
 * @param longest largest width and height, px
 */
export async function makeThumbnail(
  bytes: Buffer,
  { type, pixels }: ThumbnailSource,
  longest = LONGEST,
): Promise<Buffer | undefined> {
  if (type === "image/jpeg" && hasTooManyScans(bytes)) return undefined;
  const { decode, encodeWebp, shrink } = await import("./codecs.ts");
  try {
    const picture = await decode(bytes, type);
    if (picture.width * picture.height > pixels) return undefined;
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const to = { width: scaled(picture.width, scale), height: scaled(picture.height, scale) };
    return Buffer.from(await encodeWebp(scale === 1 ? picture : shrink(picture, to)));
  } catch {
    return undefined;
  }
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

function hasTooManyScans(bytes: Buffer): boolean {
  let scans = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at !== -1; at = bytes.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  return scans > MAX_SCANS;
}
