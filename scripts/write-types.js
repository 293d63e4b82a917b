/**
 * The types of the package's exports. Of all the declarations that the compiler writes, it keeps only the files that
 * these types need.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const IMPORTED = /(?<=\bfrom ")(\.[^"]+)\.ts(?=")/g;

/** @param entry a module of src, without its extension  @param folder where its types and those they import go */
export async function writeTypes(entry, folder) {
  const declared = await mkdtemp(join(tmpdir(), "plancast-types-"));
  try {
    const compiler = join(
      dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
      "bin",
      "tsc",
    );
    await promisify(execFile)(process.execPath, [
      compiler,
      "-p",
      "tsconfig.types.json",
      "--outDir",
      declared,
    ]);
    const wanted = new Set([entry]);
    for (const name of wanted) {
      const text = await readFile(join(declared, `${name}.d.ts`), "utf8");
      for (const [path] of text.matchAll(IMPORTED))
        wanted.add(join(dirname(name), path.replace(/\.ts$/, "")));
      const target = join(folder, `${name}.d.ts`);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text.replace(IMPORTED, "$1.js"));
    }
  } finally {
    await rm(declared, { recursive: true, force: true });
  }
}
