/**
 * Writes `plancast.holds.yaml`. A hold goes to the main branch at once, in a commit of its own beside the checkout, so
 * that all clones, jobs and publishers obey it. Without a remote, or if the push fails, it goes into the checkout.
 */

import { HOLDS_FILE, withLine } from "../../model/holds.ts";
import { holdsIn } from "../../calendars/select.ts";
import { writeAtomic } from "../../disk/files.ts";
import { findRepository } from "../../disk/git.ts";
import { placeInProject } from "../../disk/place.ts";
import {
  FETCH,
  Git,
  commitFiles,
  fetchTip,
  lastLines,
  pathInCommit,
  pushTo,
  textAt,
} from "../../github/git-branch.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";
import { UPSTREAMS, readHolds } from "../project/base.ts";
import type { Shell } from "../shell/shell.ts";

/** Where a hold is now. */
export interface KeptHold {
  /** The main branch, which everybody obeys. Undefined if only the checkout has the hold. */
  readonly branch?: string;
  /** Why only the checkout has it, although there is a main branch. */
  readonly failure?: Failure;
}

const MAX_TRIES = 20;
/** Longest wait before a retry, in ms. */
const MAX_WAIT_MS = 1_000;

/**
 * @param line of the file  @param message of the commit
 * @param branch the main branch; undefined if git knows it
 */
export async function keepHold(
  project: Project,
  line: string,
  message: string,
  shell: Pick<Shell, "env" | "clock" | "random">,
  branch?: string,
): Promise<KeptHold> {
  const git = await gitWithRemote(project, shell);
  const main = git && (branch ?? (await mainBranch(git)));
  if (git === undefined || main === undefined) {
    await addToCheckout(project, line);
    return {};
  }
  try {
    await pushLine(git, main, line, message, shell);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await addToCheckout(project, line);
    return { failure: notPushed(error, main) };
  }
  // A clone with only one branch may not see what it pushed.
  if (!(await readHolds(project)).includes(line)) await addToCheckout(project, line);
  return { branch: main };
}

function notPushed({ message }: Failure, branch: string): Failure {
  return new Failure(
    "hold/not-pushed",
    `The hold is only in this checkout, so others do not obey it yet. ${message}`,
    `Commit ${HOLDS_FILE} and push it to ${branch}, or open a pull request with it. To undo the hold, remove its line, and run apply.`,
  );
}

/** Fetches the main branch, so that the newest lockfile shows which posts are scheduled. Offline, the last one counts. */
export async function fetchMain(project: Project, shell: Pick<Shell, "env">): Promise<void> {
  const git = await gitWithRemote(project, shell);
  const main = git && (await mainBranch(git));
  if (git === undefined || main === undefined) return;
  await git.try([...FETCH, "--quiet", "origin", `+refs/heads/${main}:refs/remotes/origin/${main}`]);
}

/** Adds a line to the file in the checkout. Throws a Failure if it cannot be written. */
export async function addToCheckout(project: Project, line: string): Promise<void> {
  try {
    await writeAtomic(await placeInProject(project.root, HOLDS_FILE), withLine(await holdsIn(project), line));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "disk/not-writable",
      `${HOLDS_FILE} cannot be written: ${reasonOf(error)}`,
      "Check the permissions of the folder and the free space on the disk.",
    );
  }
}

async function gitWithRemote({ root }: Project, { env }: Pick<Shell, "env">): Promise<Git | undefined> {
  if ((await findRepository(root)) === undefined) return undefined;
  const own = Object.entries(env).filter(([name]) => !/^(?:PLANCAST|INPUT)_/.test(name));
  const git = new Git(root, Object.fromEntries(own), undefined, "hold/not-pushed");
  return (await git.try(["remote", "get-url", "origin"])).code === 0 ? git : undefined;
}

/** The main branch of the remote as last fetched, otherwise the branch that is checked out. */
async function mainBranch(git: Git): Promise<string | undefined> {
  for (const name of [...UPSTREAMS, "HEAD"]) {
    const { stdout } = await git.try(["rev-parse", "--verify", "--quiet", "--symbolic-full-name", name]);
    const [, branch] = /^refs\/(?:remotes\/origin|heads)\/(.+)/.exec(stdout) ?? [];
    if (branch !== undefined) return branch;
  }
  return undefined;
}

/** Adds a line to the newest file of the branch, also if others push meanwhile. Throws a Failure. */
async function pushLine(
  git: Git,
  branch: string,
  line: string,
  message: string,
  { clock, random }: Pick<Shell, "clock" | "random">,
): Promise<void> {
  const path = await pathInCommit(git, HOLDS_FILE);
  const [name, email] = [await settingOf(git, "user.name"), await settingOf(git, "user.email")];
  const author = name === "" || email === "" ? undefined : { name, email };
  let before: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const tip = await fetchTip(git, branch);
    const text = await textAt(git, tip, path);
    // The answer to a push may get lost.
    if (text.includes(line)) return;
    const files = new Map([[path, withLine(text, line)]]);
    const commit = await commitFiles(git, files, { on: tip, parents: [tip], message, author });
    const { code, stderr } = await pushTo(git, commit, branch);
    if (code === 0) return;
    if (tip === before || tries === MAX_TRIES)
      throw new Failure(
        "hold/not-pushed",
        `git cannot push ${HOLDS_FILE} to ${branch}: ${lastLines(stderr)}.`,
      );
    before = tip;
    await clock.sleep(random() * MAX_WAIT_MS);
  }
}

/** Who uses this clone, for the hold; blank if git does not know. */
export async function nameInGit({ root }: Project, { env }: Pick<Shell, "env">): Promise<string> {
  if ((await findRepository(root)) === undefined) return "";
  return settingOf(new Git(root, env, undefined, "hold/not-pushed"), "user.name");
}

async function settingOf(git: Git, name: string): Promise<string> {
  return (await git.try(["config", "--get", name])).stdout.trim();
}
