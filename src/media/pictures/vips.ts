/** libvips in WebAssembly. Loaded only when a picture must be converted. */

import startVips from "wasm-vips";
import { MAX_PIXELS, PictureFault, tooManyPixels } from "./picture-fault.ts";

type Vips = typeof startVips;
type Image = startVips.Image;

export interface PictureOptions {
  readonly suffix: ".webp" | ".jpg";
  /** Largest width and height, px. */
  readonly longest: number;
  /** Of 100. */
  readonly quality: number;
  /** Whether notes of people and cameras stay. */
  readonly keepsNotes: boolean;
}

export interface WrittenPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface OpenPicture {
  /** The picture, upright and in sRGB. Throws a PictureFault. */
  write(options: PictureOptions): WrittenPicture;
  close(): void;
}

/** Reads the header of a picture, and decodes HEIC. Throws a PictureFault. */
export async function openPicture(bytes: Buffer, isHeic: boolean): Promise<OpenPicture> {
  const vips = await started();
  const pixels = isHeic ? await decodedHeic(vips, bytes) : undefined;
  if (pixels === undefined) requireFewPixels(vips, bytes);
  return {
    write: ({ suffix, longest, quality, keepsNotes }) =>
      orFault(() => {
        const picture =
          pixels === undefined
            ? vips.Image.thumbnailBuffer(bytes, longest, { ...FIT, height: longest, option_string: WHOLE })
            : pixels.thumbnailImage(longest, { ...FIT, height: longest });
        try {
          // A picture inside the notes would be the old one.
          if (keepsNotes && picture.getTypeof(INNER_PICTURE) !== 0) picture.remove(INNER_PICTURE);
          const data = picture.writeToBuffer(suffix, {
            Q: quality,
            keep: keepsNotes ? NOTES : "none",
            // JPEG has no transparency.
            ...(suffix === ".jpg" ? { background: [255, 255, 255] } : {}),
          });
          return { data: Buffer.from(data), width: picture.width, height: picture.height };
        } finally {
          picture.delete();
        }
      }),
    close: () => pixels?.delete(),
  };
}

/** Never larger than it is. For a picture without a profile, libvips knows the usual one. */
const FIT = { size: "down", output_profile: "srgb" } as const;
/** A picture that is cut off is an error. */
const WHOLE = "[fail_on=error]";
const INNER_PICTURE = "jpeg-thumbnail-data";
/** Exif, XMP and IPTC, as bits. */
const NOTES = 7;

function requireFewPixels(vips: Vips, bytes: Buffer): void {
  const header = orFault(() => vips.Image.newFromBuffer(bytes));
  const size = header.width * header.height;
  header.delete();
  if (size > MAX_PIXELS) throw tooManyPixels(size);
}

async function decodedHeic(vips: Vips, bytes: Buffer): Promise<Image> {
  const { decodeHeic } = await import("./decode-heic.ts");
  const { data, width, height, bands, profile } = await decodeHeic(bytes).catch(throwFault);
  return orFault(() => {
    const plain = vips.Image.newFromMemory(data, width, height, bands, vips.BandFormat.uchar);
    const image = plain.copy({ interpretation: "srgb" });
    plain.delete();
    if (profile !== undefined) image.setBlob("icc-profile-data", profile);
    return image;
  });
}

let running: Promise<Vips> | undefined;

/** One instance for all pictures, until a picture breaks it. */
function started(): Promise<Vips> {
  running ??= startVips({
    dynamicLibraries: ["vips-heif.wasm"],
    // Its threads would write warnings to the terminal.
    preRun: ({ ENV }: { ENV: Record<string, string> }) => {
      ENV["VIPS_WARNING"] = "0";
    },
    printErr: () => undefined,
  }).then((vips) => {
    vips.Cache.max(0);
    vips.blockUntrusted(true);
    return vips;
  });
  return running;
}

function orFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return throwFault(error);
  }
}

function throwFault(error: unknown): never {
  if (error instanceof PictureFault) throw error;
  // After a trap of WebAssembly, the instance is in any state.
  if (error instanceof Error && error.name === "RuntimeError") running = undefined;
  throw new PictureFault("it is damaged", { cause: error });
}
