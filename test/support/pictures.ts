/** Pictures of one colour in any type and profile, and what colour a picture has. libvips, as in the product. */
import { readFileSync } from "node:fs";
import startVips from "wasm-vips";

type Vips = typeof startVips;
type Image = startVips.Image;

const FOLDER = new URL("../media/pictures/", import.meta.url);

/**
 * A picture of a phone: 96 × 64 px on the sensor, held upright, in Display P3, with place, serial numbers, owner and
 * copyright. It is blue at its right, red at the top and green below. JPEG by Pillow 12.3, HEIC by libheif 1.15 with a
 * rotation box, AVIF (not rotated, without profile) by ffmpeg 5.1. The notes are ExifTool 12.57's.
 */
export function phonePicture(type: "jpg" | "heic" | "avif"): Buffer {
  return readFileSync(new URL(`phone.${type}`, FOLDER));
}

let running: Promise<Vips> | undefined;

export function vipsOfTests(): Promise<Vips> {
  running ??= startVips({ dynamicLibraries: ["vips-heif.wasm"] });
  return running;
}

export interface PictureOptions {
  readonly width: number;
  readonly height: number;
  /** Of 255, for each channel. */
  readonly color: readonly number[];
  /** An ICC profile that says what the colour means, or the name of one of libvips's own. */
  readonly profile?: Uint8Array | string;
  readonly interpretation?: "srgb" | "cmyk" | "b-w" | "rgb16";
  /** Of 255, how much neighbours differ. Noise cannot be packed. */
  readonly noise?: number;
}

/** @param suffix of the type, with options of libvips: `.jpg[Q=90]` */
export async function picture(suffix: string, options: PictureOptions): Promise<Buffer> {
  const vips = await vipsOfTests();
  const { width, height, color, profile, noise = 0, interpretation = "srgb" } = options;
  const plain = vips.Image.black(width, height, { bands: color.length }).linear(
    color.map(() => 1),
    [...color],
  );
  const varied =
    noise === 0 ? plain : plain.add(vips.Image.gaussnoise(width, height, { sigma: noise, mean: 0 }));
  const deep = interpretation === "rgb16";
  const image = (deep ? varied.multiply(257) : varied)
    .cast(deep ? vips.BandFormat.ushort : vips.BandFormat.uchar)
    .copy({ interpretation });
  if (profile instanceof Uint8Array) image.setBlob("icc-profile-data", profile);
  return Buffer.from(image.writeToBuffer(suffix, typeof profile === "string" ? { profile } : {}));
}

/** The ICC profile in a picture; undefined if there is none. */
export async function profileIn(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const image = await opened(bytes);
  return image.getTypeof("icc-profile-data") === 0 ? undefined : image.getBlob("icc-profile-data");
}

/** The numbers of one pixel as they are stored, at shares of width and height. */
export async function pixelIn(bytes: Uint8Array, x = 0.5, y = 0.5): Promise<readonly number[]> {
  const image = await opened(bytes);
  return image.getpoint(Math.floor(image.width * x), Math.floor(image.height * y));
}

async function opened(bytes: Uint8Array): Promise<Image> {
  return (await vipsOfTests()).Image.newFromBuffer(bytes);
}

/** Linear light of Display P3 to XYZ, and XYZ to that of sRGB. Source: CSS Color 4, "Sample code". */
const P3_TO_XYZ = [
  [0.4865709486482162, 0.26566769316909306, 0.1982172852343625],
  [0.2289745640697488, 0.6917385218365064, 0.079286914093745],
  [0, 0.04511338185890264, 1.043944368900976],
];
const XYZ_TO_SRGB = [
  [3.2409699419045226, -1.537383177570094, -0.4986107602930034],
  [-0.9692436362808796, 1.8759675015077202, 0.04155505740717559],
  [0.05563007969699366, -0.20397695888897652, 1.0569715142428786],
];

/** A colour of Display P3 in sRGB, calculated without libvips. All numbers are of 255. */
export function srgbOfP3(color: readonly number[]): readonly number[] {
  const light = color.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return times(XYZ_TO_SRGB, times(P3_TO_XYZ, light)).map((each) => {
    const share = Math.min(1, Math.max(0, each));
    return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
  });
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  return matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * (vector[index] ?? 0), 0));
}

/** The largest difference of a channel. */
export function difference(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((each, index) => Math.abs(each - (other[index] ?? 0))));
}
