/**
 * The module `plancast:codecs`: the WebAssembly of the picture codecs as text, compressed, so that it is a part of the
 * built files like any other code.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const NAME = "plancast:codecs";
const RESOLVED = `\0${NAME}`;

/** Keyed by the names that src/media/thumbnail uses. */
const FILES = {
  jpegDecoder: import.meta.resolve("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"),
  pngDecoder: import.meta.resolve("@jsquash/png/codec/pkg/squoosh_png_bg.wasm"),
  webpDecoder: import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm"),
  webpEncoder: import.meta.resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
};

export function codecsPlugin() {
  return {
    name: "plancast-codecs",
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null;
      const entries = await Promise.all(
        Object.entries(FILES).map(async ([name, url]) => [name, await compressed(url)]),
      );
      return `export const wasm = ${JSON.stringify(Object.fromEntries(entries))};\n`;
    },
  };
}

async function compressed(url) {
  const bytes = await readFile(fileURLToPath(url));
  return (await promisify(brotliCompress)(bytes)).toString("base64");
}
