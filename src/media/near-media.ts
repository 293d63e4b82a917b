/** For a path that leads to no file, the one that may be meant: another case, blanks for `-` or `_`, another ending. */
import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { foldName } from "../calendar/fold-name.ts";

export class SimilarFiles {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<readonly string[]>>();

  /** @param root absolute, links resolved */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path as a calendar in that folder would write it; undefined where no file is near. */
  async of(folder: string, path: string): Promise<string | undefined> {
    const beside = await this.#walk(posix.join(folder, path));
    return beside === undefined ? this.#walk(posix.normalize(path)) : posix.relative(folder, beside);
  }

  /** @param path relative to the root */
  async #walk(path: string): Promise<string | undefined> {
    let found = "";
    const steps = path.split("/");
    for (const [index, step] of steps.entries()) {
      // Each folder is known only when the one above is.
      // oxlint-disable-next-line no-await-in-loop
      const name = similarName(step, await this.#namesIn(found), index === steps.length - 1);
      if (name === undefined) return undefined;
      found = posix.join(found, name);
    }
    return found;
  }

  #namesIn(folder: string): Promise<readonly string[]> {
    // A folder that cannot be listed suggests nothing.
    const names = this.#folders.get(folder) ?? readdir(join(this.#root, folder)).catch(() => []);
    this.#folders.set(folder, names);
    return names;
  }
}

/** A number or a word that differs is another picture: only what people overlook is alike. */
function similarName(step: string, names: readonly string[], isFile: boolean): string | undefined {
  if (step === ".." || names.includes(step)) return step === ".." ? undefined : step;
  return (
    names.find((name) => foldName(name) === foldName(step)) ??
    (isFile ? names.find((name) => stem(name) === stem(step)) : undefined)
  );
}

/** A file's name without its ending, as names are compared. */
function stem(name: string): string {
  return foldName(name.slice(0, name.length - posix.extname(name).length));
}
