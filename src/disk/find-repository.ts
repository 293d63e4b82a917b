/** Finds the git repository that a folder is in, and its branch, from its files: git itself need not be installed. */

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
    return (await readIfFile(path)).toString("utf8").trimEnd();
  } catch {
    return undefined;
  }
}

/** Throws for anything but a file: reading a pipe that an archive put there would never end. */
export async function readIfFile(path: string): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`);
  return readFile(path);
}

export interface FoundBranch {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** The branch that its remote takes for the main one, else the one that is checked out, if any. */
  readonly branch: string | undefined;
}

/** Gives the nearest repository at or above a folder; undefined where there is none. What cannot be read is not there. */
export async function findBranch(folder: string): Promise<FoundBranch | undefined> {
  const repository = await findRepository(folder);
  if (repository === undefined) return undefined;
  const { root, gitFolder } = repository;
  // A worktree has its own HEAD, and shares the rest with the repository that it is of.
  const shared = resolve(gitFolder, (await textOf(join(gitFolder, "commondir"))) ?? ".");
  const remote = await branchIn(join(shared, "refs", "remotes", "origin", "HEAD"), "refs/remotes/origin/");
  return { root, branch: remote ?? (await branchIn(join(gitFolder, "HEAD"), "refs/heads/")) };
}

/** The branch to which a symbolic ref points; undefined for a commit. */
async function branchIn(path: string, prefix: string): Promise<string | undefined> {
  const ref = /^ref: (\S+)$/.exec((await textOf(path)) ?? "")?.[1];
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}
