/** Makes pictures fit what a server takes. A picture that fits is sent as it is, without its place and owner. */

import { isPrintJpeg } from "../media/header-facts.ts";
import { OUTPUT_TYPES, canConvert, makePicture } from "../media/pictures/make-picture.ts";
import { PictureFault } from "../media/pictures/picture-fault.ts";
import { type AreaLimits, mostPixels, takesType } from "../settings/limits.ts";
import { type NetworkMedia, refused } from "./network.ts";

export interface PictureLimits extends AreaLimits {
  readonly bytes: number;
  /** Widths or heights of smaller versions to try, px. */
  readonly longestSides: readonly number[];
  /** Media types. Undefined: all. */
  readonly types?: readonly string[] | undefined;
}

/** Of 100. A picture that people look at, and not a thumbnail. */
const QUALITY = 82;

/** The media of a post as a server takes them. Throws NotPublished. */
export async function fittingMedia(
  media: readonly NetworkMedia[],
  limits: PictureLimits,
): Promise<readonly NetworkMedia[]> {
  const fitting: NetworkMedia[] = [];
  // One at a time, because each one needs memory.
  for (const [index, file] of media.entries()) fitting.push(await fittingPicture(file, index, limits));
  return fitting;
}

/**
 * The same file if it fits, otherwise a smaller picture, or one of a type that the server takes. Throws NotPublished.
 * @param index in the post
 */
export async function fittingPicture(
  file: NetworkMedia,
  index: number,
  limits: PictureLimits,
): Promise<NetworkMedia> {
  const { bytes: limit, types = OUTPUT_TYPES, longestSides } = limits;
  if (!file.mime.startsWith("image/")) return file;
  const { width = 0, height = 0 } = file.facts;
  const mostArea = mostPixels(file.mime, limits) ?? Infinity;
  const isSmall = file.bytes <= limit && width * height <= mostArea;
  const isTaken = limits.types === undefined || takesType(limits.types, file.mime);
  if (isSmall && isTaken && file.mime !== "image/jpeg") return file;
  const type = OUTPUT_TYPES.find((each) => takesType(types, each));
  const isConvertible = type !== undefined && canConvert(file);
  // A file that cannot be converted is not read.
  if (!isConvertible && isTaken && !isSmall)
    throw refused(
      file.bytes > limit
        ? `picture ${index + 1} has ${file.bytes} bytes, the server accepts at most ${limit}, and plancast cannot make it smaller`
        : `picture ${index + 1} has ${width} × ${height} px, the server accepts at most ${mostArea} px in all, and plancast cannot make it smaller`,
    );
  if (!isConvertible) return file;
  const opened = await file.open();
  const bytes = Buffer.from(await opened.arrayBuffer());
  if (isSmall && isTaken && !isPrintJpeg(bytes)) return { ...file, open: () => Promise.resolve(opened) };
  try {
    const sides = longestSides.map((side) => Math.min(side, Math.floor(Math.sqrt(mostArea))));
    const goal = { type, quality: QUALITY, bytes: limit, longestSides: sides, keepsNotes: true };
    const { data, ...facts } = await makePicture(bytes, file.mime, goal);
    const made = new Blob([new Uint8Array(data)], { type });
    return {
      ...file,
      mime: type,
      bytes: data.length,
      facts: { width: facts.width, height: facts.height },
      open: () => Promise.resolve(made),
    };
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    throw refused(`picture ${index + 1} cannot be converted for the server: ${error.message}`);
  }
}
