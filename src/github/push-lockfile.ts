/**
 * Commits what an apply wrote, on top of the branch or through a pull request. The files of all projects are in one
 * commit. It never forces a push. If somebody else pushes first, it repeats its commit on top of theirs.
 */

import { posix } from "node:path";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import type { Lockfile } from "../model/lockfile.ts";
import { lockfileText, parseLockfile } from "../sync/state/lockfile.ts";
import { mergeLockfiles } from "../sync/state/merge-lockfiles.ts";
import { type Git, commitFiles, fetchTip, lastLines, pushTo, textAt } from "./git-branch.ts";

/** Tries for a push. */
const ATTEMPTS = 8;

/** Longest wait before a retry, in ms. */
const MAX_WAIT_MS = 2000;

/** A file that apply wrote. */
export interface AppliedFile {
  /** Its path in the commit. */
  readonly path: string;
  /** Its text after the run. */
  readonly text: string;
  /** Puts what others changed since `base` into the text of the run. */
  readonly merge: (base: string, ours: string, theirs: string) => string;
}

/** @param origin the service's, which the lockfile must have */
export function appliedLockfile(path: string, text: string, origin: string): AppliedFile {
  const read = (each: string): Lockfile => parseLockfile(each, path, origin);
  return {
    path,
    text,
    merge: (base, ours, theirs) => lockfileText(mergeLockfiles(read(base), read(ours), read(theirs))),
  };
}

/** What an apply of one project wrote: the lockfile first. */
export type AppliedProject = readonly AppliedFile[];

/** What happened to the files. */
interface Pushed {
  /** `unchanged` if the branch has the same files. */
  readonly result: "unchanged" | "pushed";
  /** Why the files of some projects could not be merged. The files of the other projects were pushed. */
  readonly failures: readonly { readonly project: AppliedProject; readonly failure: Failure }[];
}

interface Push {
  readonly git: Git;
  readonly projects: readonly AppliedProject[];
  /** The branch of the run. */
  readonly branch: string;
  /** The branch to push to, if it is another one: it starts from `branch` and merges it each time. */
  readonly into?: string;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Throws a Failure if nothing can be pushed. */
export async function pushLockfiles(given: Push): Promise<Pushed> {
  const { git, clock, random } = given;
  const written: WrittenProject[] = [];
  for (const project of given.projects) {
    const files: WrittenFile[] = [];
    for (const file of project) {
      const base = await textAt(git, "HEAD", file.path);
      if (file.text !== base) files.push({ ...file, base });
    }
    if (files.length > 0) written.push({ project, files });
  }
  if (written.length === 0) return { result: "unchanged", failures: [] };
  let before: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const tips = await fetchTips(given);
    const at = `${tips.branch} ${tips.into ?? ""}`;
    const result = await pushOnce(given, tips, written);
    if (!("stderr" in result)) return result;
    // Nobody else has pushed since the last try, so the failure is not a race.
    if (at === before || attempt === ATTEMPTS) throw pushFailure(given, written, result.stderr);
    before = at;
    await clock.sleep(random() * MAX_WAIT_MS);
  }
}

/** A file that the run changed, with its path in the commit. */
interface WrittenFile extends AppliedFile {
  /** Its text before the run. */
  readonly base: string;
}

interface WrittenProject {
  readonly project: AppliedProject;
  readonly files: readonly WrittenFile[];
}

interface Tips {
  readonly branch: string;
  /** Undefined if that branch does not exist yet, or is not plancast's own. */
  readonly into: string | undefined;
}

async function fetchTips({ git, branch, into }: Push): Promise<Tips> {
  const own = into === undefined ? "" : await git.run(["ls-remote", "origin", `refs/heads/${into}`]);
  return {
    branch: await fetchTip(git, branch),
    into: into === undefined || own === "" ? undefined : await fetchTip(git, into),
  };
}

async function pushOnce(
  { git, branch, into = branch }: Push,
  tips: Tips,
  written: readonly WrittenProject[],
): Promise<Pushed | { readonly stderr: string }> {
  const texts = new Map<string, string>();
  const failures: Pushed["failures"][number][] = [];
  const merged: WrittenProject[] = [];
  const known = { branch: true, into: tips.into !== undefined };
  for (const each of written) {
    const theirs = await textsAt(git, tips.into ?? tips.branch, each);
    const ours = mergedTexts(each, theirs);
    if (ours instanceof Failure) {
      failures.push({ project: each.project, failure: ours });
      continue;
    }
    merged.push(each);
    for (const [path, text] of ours) {
      texts.set(path, text);
      known.into &&= text === theirs.get(path);
      known.branch &&= text === (await textAt(git, tips.branch, path));
    }
  }
  if (known.branch || known.into) return { result: "unchanged", failures };
  const commit = await commitFiles(git, texts, {
    on: tips.branch,
    parents: tips.into === undefined ? [tips.branch] : [tips.into, tips.branch],
    message: commitMessage(merged),
  });
  const { code, stderr } = await pushTo(git, commit, into);
  return code === 0 ? { result: "pushed", failures } : { stderr };
}

async function textsAt(
  git: Git,
  commit: string,
  { files }: WrittenProject,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path } of files) texts.set(path, await textAt(git, commit, path));
  return texts;
}

/** The texts by path, with what others changed; why that is impossible, for example because theirs is not JSON. */
function mergedTexts(
  { files }: WrittenProject,
  others: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | Failure {
  try {
    return new Map(
      files.map(({ path, base, text: ours, merge }) => {
        const theirs = others.get(path) ?? "";
        return [path, theirs === base || theirs === ours ? ours : merge(base, ours, theirs)];
      }),
    );
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Without the names of folders: GitHub acts on some words in a message. */
function commitMessage(written: readonly WrittenProject[]): string {
  const [first, ...others] = written;
  if (others.length > 0) return `Update the lockfiles of ${written.length} projects`;
  return `Update ${first?.files.map(({ path }) => posix.basename(path)).join(" and ")}`;
}

function pushFailure({ into, branch }: Push, written: readonly WrittenProject[], stderr: string): Failure {
  const more = written.length === 1 ? "" : ` and ${written.length - 1} more`;
  return new Failure(
    "repository/push",
    `git cannot push ${written[0]?.files[0]?.path}${more} to ${into ?? branch}: ${lastLines(stderr)}.`,
    "Give the job `permissions:` with `contents: write`. If the branch is protected, check out with a deploy key or an app that may push, or use `lockfile: pull-request`. Do not edit or delete rows until the lockfile is there: the next run could not find their old posts.",
  );
}

/** The branch of a lockfile that waits for its pull request. */
export function lockfileBranch(name: string): string {
  return `plancast/lockfile-${name}`;
}
