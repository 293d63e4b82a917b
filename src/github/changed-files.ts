/** The files that a pull request changes, from the commits of the checkout. */

import type { Git } from "./git-branch.ts";
import type { PullRequest } from "./runner.ts";

/**
 * Paths from the root of the repository, including deleted files, and both names of a renamed one. Undefined if the
 * checkout has too few commits to know.
 */
export async function changedFiles(git: Git, pull: PullRequest): Promise<ReadonlySet<string> | undefined> {
  const base = await baseCommit(git, pull);
  if (base === undefined) return undefined;
  // Compares trees, and so runs no program that the repository names for differences.
  const only = ["-r", "-z", "--name-only", "--no-renames", "--no-commit-id"];
  const { code, stdout } = await git.try(["diff-tree", ...only, base, "HEAD"]);
  return code === 0 ? new Set(stdout.split("\0").filter(Boolean)) : undefined;
}

/** The commit without the pull request's changes. Undefined if the checkout has too few commits to know. */
export async function baseCommit(git: Git, { headSha, baseSha }: PullRequest): Promise<string | undefined> {
  const { code, stdout } = await git.try(["rev-list", "--parents", "--max-count=1", "HEAD"]);
  if (code !== 0) return undefined;
  // GitHub's trial merge of the branch and the pull request. `fetch-depth: 2` is enough to see both.
  const [, branch, head, ...others] = stdout.trim().split(" ");
  if (branch !== undefined && head === headSha && others.length === 0) return branch;
  // Where the history ends early, an older common commit could hide changes.
  const shallow = await git.try(["rev-parse", "--is-shallow-repository"]);
  if (baseSha === undefined || shallow.code !== 0 || shallow.stdout.trim() !== "false") return undefined;
  // A job may have checked out something else, such as the branch.
  const holds = await git.try(["merge-base", "--is-ancestor", headSha, "HEAD"]);
  if (holds.code !== 0) return undefined;
  const common = await git.try(["merge-base", baseSha, "HEAD"]);
  return common.code === 0 ? common.stdout.trim() : undefined;
}
