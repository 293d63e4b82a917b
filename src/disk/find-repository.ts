/** Finds the git repository that a folder is in, from its files: git itself need not be installed. */

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface Repository {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** Absolute path of git's own folder. It may be missing, or not be one. */
  readonly gitFolder: string;
}

/** The nearest repository at or above a folder; undefined where there is none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => undefined);
  // As git does: a folder without a HEAD is not a repository.
  if (found?.isDirectory() === true && (await textOf(join(path, "HEAD"))) !== undefined)
    return { root: folder, gitFolder: path };
  if (found?.isFile() === true) return { root: folder, gitFolder: await namedFolder(path) };
  const above = dirname(folder);
  return above === folder ? undefined : findRepository(above);
}

/** Of a worktree or a submodule, where `.git` is a file. */
async function namedFolder(path: string): Promise<string> {
  const [, named = ".git"] = /^gitdir: (.+)$/.exec((await textOf(path)) ?? "") ?? [];
  return resolve(dirname(path), named);
}

/** A file's text without spaces at its end; undefined where it cannot be read. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trimEnd();
  } catch {
    return undefined;
  }
}
