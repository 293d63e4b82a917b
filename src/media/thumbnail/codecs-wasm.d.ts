/** Made by the build: see scripts/codecs-plugin.js. */
declare module "plancast:codecs" {
  /** WebAssembly, compressed with Brotli, as base64. */
  export const wasm: Readonly<Record<"jpegDecoder" | "pngDecoder" | "webpDecoder" | "webpEncoder", string>>;
}

/** The parts of Node's WebAssembly that src/media/thumbnail uses; Node's own types lack them. */
declare namespace WebAssembly {
  type Module = object;
  type Instance = { readonly exports: object };
  const Module: new (bytes: Uint8Array) => Module;
  const Instance: new (module: Module, imports: object) => Instance;
}
