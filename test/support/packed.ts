/** The package as npm would publish it. Needs `npm run build`. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Packed {
  /** Name of the tarball in the folder. */
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the existing build. */
export async function packInto(folder: string): Promise<Packed> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: ROOT });
  const [packed]: Packed[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error("npm packed nothing.");
  return packed;
}

/** Installs a tarball from its own folder, as a user does. */
export async function installFrom(filename: string, folder: string): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`];
  await run("npm", args, { cwd: folder });
}
