/**
 * What the applies of jobs have confirmed: a commit that holds only lockfiles, under a ref of the remote. A pull request
 * changes branches only, so nothing in it can change this ref. It is what later jobs compare a lockfile with, because a
 * pull request may be merged without an apply.
 */

import { randomUUID } from "node:crypto";
import { Failure } from "../model/failure.ts";
import { type Git, commitFiles, lastLines, textAt } from "./git-branch.ts";

export interface ConfirmedLockfiles {
  /** The commit that holds them. */
  readonly commit: string;
  /** The commit of the branch that was applied. */
  readonly applied: string;
}

const FOLDER = "refs/plancast/";

/** @param name the input of the job */
function refOf(name: string): string {
  return `${FOLDER}confirmed-${name}`;
}

/** Undefined if no apply of a job has confirmed any, or the remote cannot be read. */
export async function fetchConfirmed(git: Git, name: string): Promise<ConfirmedLockfiles | undefined> {
  // git also lists branches and tags whose names end so, and would fetch one of them.
  const { stdout } = await git.try(["ls-remote", "origin", refOf(name)]);
  if (!stdout.split("\n").some((line) => line.endsWith(`\t${refOf(name)}`))) return undefined;
  const ref = `${FOLDER}${randomUUID()}`;
  try {
    const only = ["--no-tags", "--no-recurse-submodules"];
    if ((await git.try(["fetch", ...only, "origin", `+${refOf(name)}:${ref}`])).code !== 0) return undefined;
    const commit = (await git.run(["rev-parse", "--verify", `${ref}^{commit}`])).trim();
    const [, applied] = APPLIED.exec(await git.run(["cat-file", "commit", commit])) ?? [];
    return applied === undefined ? undefined : { commit, applied };
  } finally {
    await git.try(["update-ref", "--no-deref", "-d", ref]);
  }
}

const APPLIED = /^Applied: ([0-9a-f]{40,64})$/m;

/** A confirmed lockfile, by its path in the commit; undefined if none has this path. */
export async function confirmedFileText(
  git: Git,
  { commit }: ConfirmedLockfiles,
  path: string,
): Promise<string | undefined> {
  return (await textAt(git, commit, path)) || undefined;
}

/** Whether a commit is older than the newest apply: its job runs again, or runs late. */
export async function isOlderThan(
  git: Git,
  commit: string,
  { applied }: ConfirmedLockfiles,
): Promise<boolean> {
  const id = (await git.try(["rev-parse", "--verify", "--quiet", `${commit}^{commit}`])).stdout.trim();
  if (id === applied) return false;
  if ((await git.try(["cat-file", "-e", `${applied}^{commit}`])).code !== 0) {
    const isShallow = (await git.try(["rev-parse", "--is-shallow-repository"])).stdout.trim() !== "false";
    const depth = isShallow ? [`--depth=${SEEN_COMMITS}`] : [];
    await git.try(["fetch", ...depth, "--no-tags", "--no-recurse-submodules", "origin", applied]);
  }
  return (await git.try(["merge-base", "--is-ancestor", id, applied])).code === 0;
}

/** In a checkout with few commits. A job on an even older commit sees posts without rows. */
const SEEN_COMMITS = 50;

/** Stores what an apply confirmed at HEAD. Throws a Failure if the remote refuses. */
export async function pushConfirmed(
  git: Git,
  name: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  if (files.size === 0) return;
  const known = await fetchConfirmed(git, name);
  if (known !== undefined && (await isOlderThan(git, "HEAD", known))) return;
  const texts = await Promise.all(
    [...files].map(async ([path, text]) => known && text === (await confirmedFileText(git, known, path))),
  );
  if (texts.every(Boolean)) return;
  const empty = (await git.run(["hash-object", "-t", "tree", "--stdin"])).trim();
  const head = (await git.run(["rev-parse", "HEAD"])).trim();
  const message = `Lockfiles that an apply confirmed\n\nApplied: ${head}`;
  const commit = await commitFiles(git, files, { on: known?.commit ?? empty, parents: [], message });
  // With a pattern, git pushes to exactly this name, also if a branch's name ends so.
  const folder = `${FOLDER}${randomUUID()}`;
  const ref = `${folder}/${refOf(name).replace(FOLDER, "")}`;
  await git.run(["update-ref", "--no-deref", ref, commit]);
  const only = ["--no-follow-tags", "--no-recurse-submodules"];
  const { code, stderr } = await git.try(["push", ...only, "origin", `+${folder}/*:${FOLDER}*`]);
  await git.try(["update-ref", "--no-deref", "-d", ref]);
  if (code !== 0)
    throw new Failure(
      "repository/push",
      `git cannot push ${refOf(name)}: ${lastLines(stderr)}.`,
      "Give the job `permissions:` with `contents: write`.",
    );
}
