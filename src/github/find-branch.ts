/** Finds the repository that a folder is in, and its branch, from its files: git itself need not be installed. */

import { join, resolve } from "node:path";
import { findRepository, textOf } from "../disk/find-repository.ts";

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
