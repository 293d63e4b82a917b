/** Finds the git repository that a folder is in, from its files: git itself need not be installed. */

import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface FoundRepository {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** The branch that its remote takes for the main one, else the one that is checked out, if any. */
  readonly branch: string | undefined;
}

/** Gives the nearest repository at or above a folder; undefined where there is none. What cannot be read is not there. */
export async function findRepository(folder: string): Promise<FoundRepository | undefined> {
  const gitFolder = await gitFolderIn(folder);
  if (gitFolder === undefined) {
    const parent = dirname(folder);
    return parent === folder ? undefined : findRepository(parent);
  }
  // A worktree has its own HEAD, and shares the rest with the repository that it is of.
  const shared = resolve(gitFolder, (await textOf(join(gitFolder, "commondir"))) ?? ".");
  const remote = await branchIn(join(shared, "refs", "remotes", "origin", "HEAD"), "refs/remotes/origin/");
  return { root: folder, branch: remote ?? (await branchIn(join(gitFolder, "HEAD"), "refs/heads/")) };
}

/** `.git` is a folder, or a file that names one: of a worktree or a submodule. */
async function gitFolderIn(folder: string): Promise<string | undefined> {
  const path = join(folder, ".git");
  if ((await textOf(join(path, "HEAD"))) !== undefined) return path;
  const [, named] = /^gitdir: (.+)$/.exec((await textOf(path)) ?? "") ?? [];
  return named === undefined ? undefined : resolve(folder, named);
}

/** The branch to which a symbolic ref points; undefined for a commit. */
async function branchIn(path: string, prefix: string): Promise<string | undefined> {
  const ref = /^ref: (\S+)$/.exec((await textOf(path)) ?? "")?.[1];
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trimEnd();
  } catch {
    return undefined;
  }
}
