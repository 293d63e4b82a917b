/* oxlint-disable no-underscore-dangle -- Emscripten begins the names of C functions with it. */
/**
 * Decodes HEIC, which iPhones write, with libheif in WebAssembly. The picture is upright: libheif applies its rotation.
 */

import startLibheif, { type Libheif } from "libheif-js/libheif-wasm/libheif-bundle.mjs";
import { MAX_PIXELS, PictureFault, tooManyPixels } from "./picture-fault.ts";

export interface DecodedHeic {
  /** Red, green, blue, and opacity if `bands` is 4, row by row. */
  readonly data: Uint8Array;
  readonly bands: 3 | 4;
  readonly width: number;
  readonly height: number;
  /** ICC profile of the colours. Undefined: sRGB. */
  readonly profile: Uint8Array | undefined;
}

/** `heif_colorspace_RGB`, `heif_chroma_interleaved_RGB` and `_RGBA`, `heif_channel_interleaved`. */
const RGB = 1;
const CHROMA = { 3: 10, 4: 11 } as const;
const INTERLEAVED = 10;
/** The struct `heif_error`: two numbers and a pointer. */
const ERROR_BYTES = 12;

/** Throws a PictureFault. The memory of the library ends with the picture. */
export async function decodeHeic(bytes: Uint8Array): Promise<DecodedHeic> {
  const heif = await startLibheif();
  const slot = heif._malloc(ERROR_BYTES);
  const context = heif._heif_context_alloc();
  const input = heif._malloc(bytes.length);
  heif.HEAPU8.set(bytes, input);
  const check = (): void => {
    if (numberAt(heif, slot) !== 0)
      throw new PictureFault("it is damaged, or a kind of HEIC that is not known");
  };
  /** Calls a function that writes a pointer. */
  const pointer = (call: (out: number) => void): number => {
    const out = heif._malloc(4);
    call(out);
    check();
    return numberAt(heif, out);
  };
  heif._heif_context_read_from_memory(slot, context, input, bytes.length, 0);
  check();
  const handle = pointer((out) => heif._heif_context_get_primary_image_handle(slot, context, out));
  const size = heif._heif_image_handle_get_width(handle) * heif._heif_image_handle_get_height(handle);
  if (size > MAX_PIXELS) throw tooManyPixels(size);
  const profile = profileOf(heif, handle, slot);
  const bands = heif._heif_image_handle_has_alpha_channel(handle) === 0 ? 3 : 4;
  const image = pointer((out) => heif._heif_decode_image(slot, handle, out, RGB, CHROMA[bands], 0));
  const stride = heif._malloc(4);
  const plane = heif._heif_image_get_plane_readonly2(image, INTERLEAVED, stride);
  const width = heif._heif_image_get_width(image, INTERLEAVED);
  const height = heif._heif_image_get_height(image, INTERLEAVED);
  const data = rows(heif.HEAPU8, { plane, stride: numberAt(heif, stride), length: width * bands, height });
  return { data, bands, width, height, profile };
}

function numberAt({ HEAPU8 }: Libheif, pointer: number): number {
  return new DataView(HEAPU8.buffer, HEAPU8.byteOffset).getUint32(pointer, true);
}

function profileOf(heif: Libheif, handle: number, slot: number): Uint8Array | undefined {
  const length = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (length === 0) return undefined;
  const at = heif._malloc(length);
  heif._heif_image_handle_get_raw_color_profile(slot, handle, at);
  return numberAt(heif, slot) === 0 ? heif.HEAPU8.slice(at, at + length) : undefined;
}

/** Copies rows without the bytes between them. All numbers are in bytes, except the height. */
function rows(
  memory: Uint8Array,
  { plane, stride, length, height }: Readonly<Record<"plane" | "stride" | "length" | "height", number>>,
): Uint8Array {
  const data = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1)
    data.set(memory.subarray(plane + y * stride, plane + y * stride + length), y * length);
  return data;
}
