/** The package as npm would publish it. Needs `npm run build`. */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tempFolder } from "./temp-folder.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Packed {
  /** Name of the tarball in the folder. */
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** What npm packs, and what it needs for that. */
const PACKED = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "dist", "schemas", "docs"];

/** Packs a copy of the existing build, as `npm pack` does, because other tests read the checkout's package.json. */
export async function packInto(folder: string): Promise<Packed> {
  const copy = await tempFolder();
  for (const name of PACKED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await run(process.execPath, [join(ROOT, "scripts/packed-manifest.js")], { cwd: copy });
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: copy });
  const [packed]: Packed[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error("npm packed nothing.");
  return packed;
}

/** Installs a tarball from its own folder, as a user does. */
export async function installFrom(filename: string, folder: string): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`];
  await run("npm", args, { cwd: folder });
}
