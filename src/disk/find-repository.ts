/** Finds the git repository of a folder, and its branch, from git's files: git itself need not be installed. */

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface Repository {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** Absolute path of git's own folder. It may be missing, or invalid. */
  readonly gitFolder: string;
}

/** The nearest repository at or above a folder; undefined if there is none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => undefined);
  // As in git: a folder without a HEAD is not a repository.
  if (found?.isDirectory() === true && (await textOf(join(path, "HEAD"))) !== undefined)
    return { root: folder, gitFolder: path };
  if (found?.isFile() === true) return { root: folder, gitFolder: await namedFolder(path) };
  const above = dirname(folder);
  return above === folder ? undefined : findRepository(above);
}

/** For a worktree or a submodule, where `.git` is a file. */
async function namedFolder(path: string): Promise<string> {
  const [, named = ".git"] = /^gitdir: (.+)$/.exec((await textOf(path)) ?? "") ?? [];
  return resolve(dirname(path), named);
}

/** A file's text without spaces at its end; undefined if it cannot be read. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readIfFile(path)).toString("utf8").trimEnd();
  } catch {
    return undefined;
  }
}

/** Throws for anything but a file: reading a pipe from an archive would never end. */
export async function readIfFile(path: string): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`);
  return readFile(path);
}

export interface FoundBranch {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** The main branch of its remote, else the branch that is checked out, if any. */
  readonly branch: string | undefined;
}

/** The nearest repository at or above a folder; undefined if there is none. Unreadable files count as missing. */
export async function findBranch(folder: string): Promise<FoundBranch | undefined> {
  const repository = await findRepository(folder);
  if (repository === undefined) return undefined;
  const { root, gitFolder } = repository;
  // A worktree has its own HEAD, and shares the rest with its repository.
  const shared = resolve(gitFolder, (await textOf(join(gitFolder, "commondir"))) ?? ".");
  const remote = await branchIn(join(shared, "refs", "remotes", "origin", "HEAD"), "refs/remotes/origin/");
  return { root, branch: remote ?? (await branchIn(join(gitFolder, "HEAD"), "refs/heads/")) };
}

/** The branch that a symbolic ref points to; undefined for a commit. */
async function branchIn(path: string, prefix: string): Promise<string | undefined> {
  const ref = /^ref: (\S+)$/.exec((await textOf(path)) ?? "")?.[1];
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}
