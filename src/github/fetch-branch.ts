/**
 * The branch with fetched sheets. Each fetch adds one commit, with the newest main branch as a parent, and never forces a
 * push. What people change on the branch stays until their pull request is merged or closed.
 */

import { Failure } from "../model/failure.ts";
import {
  type CommittedFiles,
  type Git,
  bytesAt,
  commitFiles,
  fetchTip,
  lastLines,
  pushTo,
} from "./git-branch.ts";

/** @param name the input of the job */
export function fetchBranch(name: string): string {
  return `plancast/fetch-${name}`;
}

/** The newest commit of the branch; undefined if there is none yet. */
export async function fetchBranchTip(git: Git, branch: string): Promise<string | undefined> {
  const listed = await git.run(["ls-remote", "origin", `refs/heads/${branch}`]);
  return listed === "" ? undefined : fetchTip(git, branch);
}

interface FetchedCommit {
  readonly branch: string;
  /** The commit of the main branch. */
  readonly base: string;
  /** The newest commit of the branch; undefined if there is none. */
  readonly tip: string | undefined;
  readonly message: string;
}

/** Commits files on the base and pushes them. Returns the newest commit of the branch; undefined if somebody was faster. */
export async function pushFetched(
  git: Git,
  files: CommittedFiles,
  { branch, base, tip, message }: FetchedCommit,
): Promise<string | undefined> {
  const parents = tip === undefined ? [base] : [tip, base];
  const commit = await commitFiles(git, files, { on: base, parents, message });
  if (tip !== undefined && (await treeOf(git, commit)) === (await treeOf(git, tip))) return tip;
  const { code, stderr } = await pushTo(git, commit, branch);
  if (code === 0) return commit;
  if ((await fetchBranchTip(git, branch)) !== tip) return undefined;
  throw new Failure(
    "repository/push",
    `git cannot push the fetched sheets to ${branch}: ${lastLines(stderr)}.`,
    "Give the job `permissions:` with `contents: write`.",
  );
}

/** Whether a commit has exactly these contents. */
export async function hasFiles(git: Git, commit: string, files: CommittedFiles): Promise<boolean> {
  for (const [path, contents] of files) {
    const there = await bytesAt(git, commit, path);
    if (there === undefined || !Buffer.from(contents).equals(there)) return false;
  }
  return true;
}

async function treeOf(git: Git, commit: string): Promise<string> {
  return (await git.run(["rev-parse", `${commit}^{tree}`])).trim();
}

/** The newest commit that two commits share; undefined if the checkout lacks it. */
export async function commonCommit(git: Git, one: string, other: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(["merge-base", one, other]);
  return code === 0 ? stdout.trim() : undefined;
}

/**
 * Moves HEAD to the newest commit of its branch, if nothing but some files has changed there. No file of the checkout
 * changes. Returns the paths that differ, or undefined if others have changed, too.
 */
export async function followBranch(
  git: Git,
  branch: string,
  known: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  const tip = await fetchTip(git, branch);
  const only = ["-r", "-z", "--name-only", "--no-renames", "--no-commit-id"];
  const changed = (await git.run(["diff-tree", ...only, "HEAD", tip])).split("\0").filter(Boolean);
  if (changed.some((path) => !known.has(path))) return undefined;
  await git.run(["update-ref", "HEAD", tip]);
  return changed;
}

/**
 * Works at the trial merge of a branch into the base, as GitHub makes it for a pull request. No file of the checkout
 * changes. HEAD is as before afterwards.
 */
export async function atTrialMerge<T>(
  git: Git,
  files: CommittedFiles,
  { base, head }: { readonly base: string; readonly head: string },
  work: () => Promise<T>,
): Promise<T> {
  const trial = await commitFiles(git, files, { on: base, parents: [base, head], message: "Trial merge" });
  const named = await git.try(["symbolic-ref", "--quiet", "HEAD"]);
  const before = (await git.run(["rev-parse", "HEAD"])).trim();
  try {
    await git.run(["update-ref", "--no-deref", "HEAD", trial]);
    return await work();
  } finally {
    const back =
      named.code === 0
        ? ["symbolic-ref", "HEAD", named.stdout.trim()]
        : ["update-ref", "--no-deref", "HEAD", before];
    await git.run(back);
  }
}
