/**
 * Decodes and encodes pictures in WebAssembly. The content of a picture cannot reach anything outside this memory.
 * Loaded only when a picture must become smaller.
 */

import { brotliDecompressSync } from "node:zlib";
import decodeJpegModule from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { decode as decodePng, initSync as initPng } from "@jsquash/png/codec/pkg/squoosh_png.js";
import decodeWebpModule from "@jsquash/webp/codec/dec/webp_dec.js";
import encodeWebpModule from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { wasm } from "plancast:codecs";
import type { Pixels } from "./shrink.ts";

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
