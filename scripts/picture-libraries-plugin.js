/**
 * The libraries for pictures are WebAssembly with code that finds it beside itself. The build copies them unchanged, so
 * that anybody can replace them, as the LGPL asks.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PREFIX = "\0plancast-pictures:";
const FOLDER = "pictures";

/** By what src imports: the files of each library. The first one is the module. */
const FILES = {
  "wasm-vips": ["vips-node.mjs", "vips.wasm", "vips-heif.wasm"],
  "libheif-js/libheif-wasm/libheif-bundle.mjs": ["libheif-bundle.mjs"],
};

/** The folders of the packages, which are in the built files although the bundler does not read them. */
export const pictureLibraries = ["wasm-vips", "libheif-js"].map((name) =>
  fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)),
);

export function pictureLibrariesPlugin() {
  return {
    name: "plancast-pictures",
    resolveId: (id) => (Object.hasOwn(FILES, id) ? PREFIX + id : undefined),
    async load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const library = id.slice(PREFIX.length);
      const [module] = FILES[library];
      const folder = dirname(fileURLToPath(import.meta.resolve(library)));
      for (const name of FILES[library])
        this.emitFile({
          type: "asset",
          fileName: `${FOLDER}/${name}`,
          source: await readFile(join(folder, name)),
        });
      // The code that imports it is in dist/chunks.
      const code = `const { default: start } = await import(new URL("../${FOLDER}/${module}", import.meta.url).href);\nexport default start;\n`;
      return { code, moduleType: "js" };
    },
  };
}
