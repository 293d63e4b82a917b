/**
 * Decodes and encodes pictures in WebAssembly, and makes them smaller: each pixel becomes the mean of the area that it
 * covers. The content of a picture cannot reach anything outside this memory.
 * Loaded only when a picture must become smaller.
 */

import { brotliDecompressSync } from "node:zlib";
import decodeJpegModule from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { decode as decodePng, initSync as initPng } from "@jsquash/png/codec/pkg/squoosh_png.js";
import decodeWebpModule from "@jsquash/webp/codec/dec/webp_dec.js";
import encodeWebpModule from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { wasm } from "plancast:codecs";

/** The types that can be decoded. */
export type DecodableType = "image/jpeg" | "image/png" | "image/webp";

/** Of 100. */
const QUALITY = 72;

/** Throws if the picture is broken. A JPEG can be rotated, as the camera was held. */
export async function decode(bytes: Uint8Array, type: DecodableType): Promise<Pixels> {
  const pixels = await decoders[type](bytes);
  if (pixels === null) throw new Error("The picture cannot be decoded.");
  return pixels;
}

const decoders: Readonly<Record<DecodableType, (bytes: Uint8Array) => Promise<Pixels | null>>> = {
  "image/jpeg": async (bytes) => {
    const module = await decodeJpegModule(loading("jpegDecoder"));
    return module.decode(new Uint8Array(bytes), true);
  },
  "image/png": async (bytes) => {
    initPng(compiled("pngDecoder"));
    return decodePng(bytes);
  },
  "image/webp": async (bytes) => {
    const module = await decodeWebpModule(loading("webpDecoder"));
    return module.decode(new Uint8Array(bytes));
  },
};

export async function encodeWebp({ data, width, height }: Pixels): Promise<Uint8Array> {
  const module = await encodeWebpModule(loading("webpEncoder"));
  const encoded = module.encode(data, width, height, { ...defaultOptions, quality: QUALITY });
  if (encoded === null) throw new Error("The picture cannot be encoded.");
  return encoded;
}

const modules = new Map<keyof typeof wasm, WebAssembly.Module>();

function compiled(name: keyof typeof wasm): WebAssembly.Module {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const made = new WebAssembly.Module(brotliDecompressSync(Buffer.from(wasm[name], "base64")));
  modules.set(name, made);
  return made;
}

/** How to start a module: with the memory of its own, so that a picture that breaks it harms no other. */
function loading(name: keyof typeof wasm) {
  return {
    noInitialRun: true,
    instantiateWasm(
      imports: Record<string, Record<string, () => void>>,
      done: (instance: WebAssembly.Instance) => void,
    ) {
      const instance = new WebAssembly.Instance(compiled(name), imports);
      done(instance);
      return instance.exports;
    },
  };
}

/** Red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** A clear pixel must not darken its neighbours, so colours count by their opacity. */
const CHANNELS = 4;

/** @param to not larger than the picture, px */
export function shrink({ data, width, height }: Pixels, to: { width: number; height: number }): Pixels {
  const narrow = new Float32Array(to.width * height * CHANNELS);
  const columns = shares(width, to.width);
  for (let y = 0; y < height; y += 1)
    for (const [x, column] of columns.entries()) {
      const at = (y * to.width + x) * CHANNELS;
      for (const { from, share } of column) {
        const source = (y * width + from) * CHANNELS;
        const opacity = (data[source + 3] ?? 0) * share;
        narrow[at] = (narrow[at] ?? 0) + (data[source] ?? 0) * opacity;
        narrow[at + 1] = (narrow[at + 1] ?? 0) + (data[source + 1] ?? 0) * opacity;
        narrow[at + 2] = (narrow[at + 2] ?? 0) + (data[source + 2] ?? 0) * opacity;
        narrow[at + 3] = (narrow[at + 3] ?? 0) + opacity;
      }
    }
  const small = new Uint8ClampedArray(to.width * to.height * CHANNELS);
  for (const [y, row] of shares(height, to.height).entries())
    for (let x = 0; x < to.width; x += 1) {
      let [red, green, blue, opacity] = [0, 0, 0, 0];
      for (const { from, share } of row) {
        const source = (from * to.width + x) * CHANNELS;
        red += (narrow[source] ?? 0) * share;
        green += (narrow[source + 1] ?? 0) * share;
        blue += (narrow[source + 2] ?? 0) * share;
        opacity += (narrow[source + 3] ?? 0) * share;
      }
      const visible = opacity === 0 ? 1 : opacity;
      small.set([red / visible, green / visible, blue / visible, opacity], (y * to.width + x) * CHANNELS);
    }
  return { ...to, data: small };
}

interface Share {
  /** Row or column of the source. */
  readonly from: number;
  /** Its share of the mean. The shares for one pixel add up to 1. */
  readonly share: number;
}

/** For each row or column of the small picture, the part of the large one that it covers. */
function shares(length: number, small: number): readonly (readonly Share[])[] {
  const size = length / small;
  return Array.from({ length: small }, (_, place) => {
    const [start, end] = [place * size, Math.min(length, (place + 1) * size)];
    const covered: Share[] = [];
    for (let from = Math.floor(start); from < end; from += 1) {
      const share = (Math.min(from + 1, end) - Math.max(from, start)) / (end - start);
      if (from < length) covered.push({ from, share });
    }
    return covered;
  });
}
