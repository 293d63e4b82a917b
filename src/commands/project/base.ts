/**
 * What a checkout is compared with: the lockfile and the schedule before its changes. In a job on a pull request, that
 * is the base branch's; after the merge, the merge's first parent's, or on another push those of the commit before it.
 * Elsewhere, they are of the commit that the checkout shares with the main branch of its remote, as last fetched. What
 * runs on this machine wrote counts, too, but not in CI, where others may have written the state folder.
 */

import { isMap, parseDocument } from "yaml";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { readRegular } from "../../disk/files.ts";
import { askGit, findRepository } from "../../disk/git.ts";
import { placeInProject } from "../../disk/place.ts";
import { Git, pathInCommit, textAt } from "../../github/git-branch.ts";
import { baseCommit } from "../../github/pull-request-files.ts";
import type { Job } from "../../github/runner.ts";
import { type Lockfile, checkLockfile, emptyLockfile } from "../../model/lockfile.ts";
import { OWN_SCHEDULE, SCHEDULE_FILE } from "../../repository/schedule.ts";
import { type Project, DEFAULT_LOCKFILE } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";
import type { Compared } from "../../sync/plan/trusted.ts";
import { readOwnLockfile } from "../../sync/state/project-state.ts";

/** A file of the commit to compare with, by its path from the project's folder; empty if it is missing there. */
export type ReadAtBase = (path: string) => Promise<string>;

const ALL_COUNTS: Compared = { base: undefined, isPullRequest: false };

/** Outside the jobs of `plancast ci`. */
export async function readCompared(project: Project, env: Env): Promise<Compared> {
  const { root, state } = project;
  const own = isCi(env) ? undefined : await readOwnLockfile(project);
  const ownSchedule = isCi(env) ? undefined : await textOrNot(readRegular(state.in(OWN_SCHEDULE)));
  const now = await textsOf(project);
  // The usual case: only runs on this machine have changed the files.
  if (now.lockfile === (own ?? "") && now.schedule === (ownSchedule ?? "")) return ALL_COUNTS;
  const repository = await findRepository(root);
  if (repository === undefined) return ALL_COUNTS;
  const ask: Ask = async (args) => {
    const ran = await askGit(args, root, repository);
    return ran?.code === 0 ? ran.stdout : undefined;
  };
  const commit = await sharedCommit(ask, isCi(env));
  if (commit === undefined) return ALL_COUNTS;
  const read: ReadAtBase = async (path) => (await ask(["show", `${commit}:./${path}`])) ?? "";
  return compared(now, await textsAt(project, read), { own, ownSchedule, isPullRequest: false });
}

/** In a job of `plancast ci`. @param readAtBase of the job */
export async function comparedInJob(
  project: Project,
  { pullRequest }: Job,
  readAtBase: ReadAtBase | undefined,
): Promise<Compared> {
  const isPullRequest = pullRequest !== undefined;
  if (readAtBase === undefined) return { base: isPullRequest ? "unknown" : undefined, isPullRequest };
  return compared(await textsOf(project), await textsAt(project, readAtBase), { isPullRequest });
}

/** Undefined if the checkout has too few commits to know. */
export async function baseOfJob({ root }: Project, job: Job, env: Env): Promise<ReadAtBase | undefined> {
  const git = new Git(root, env);
  const { pullRequest } = job;
  const commit = pullRequest === undefined ? await pushBase(git, job) : await baseCommit(git, pullRequest);
  return commit === undefined
    ? undefined
    : async (path) => textAt(git, commit, await pathInCommit(git, path));
}

/** The first parent of a merge, otherwise the commit before the push; without either, the commit itself. */
async function pushBase(git: Git, { before }: Job): Promise<string> {
  const { stdout } = await git.try(["rev-list", "--parents", "--max-count=1", "HEAD"]);
  const [, first, second] = stdout.trim().split(" ");
  if (first !== undefined && second !== undefined) return first;
  if (before === undefined) return "HEAD";
  if ((await git.try(["cat-file", "-e", `${before}^{commit}`])).code === 0) return before;
  const only = ["--depth=1", "--no-tags", "--no-recurse-submodules"];
  const { code } = await git.try(["fetch", ...only, "origin", before]);
  return code === 0 ? before : (first ?? "HEAD");
}

type Ask = (args: readonly string[]) => Promise<string | undefined>;

/** The main branch of the remote, as last fetched; otherwise the upstream branch. */
const UPSTREAMS = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "@{upstream}",
];

/** The newest commit that HEAD shares with the upstream branch. In CI, the first parent of a merge. */
async function sharedCommit(ask: Ask, inCi: boolean): Promise<string | undefined> {
  if (inCi) {
    const parents = (await ask(["rev-list", "--parents", "--max-count=1", "HEAD"])) ?? "";
    const [, first, second] = parents.trim().split(" ");
    if (second !== undefined) return first;
  }
  for (const name of UPSTREAMS) {
    const upstream = await ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (upstream !== undefined) return (await ask(["merge-base", "HEAD", upstream.trim()]))?.trim();
  }
  return undefined;
}

interface Texts {
  readonly lockfile: string;
  readonly schedule: string;
}

async function textsOf({ root, config }: Project): Promise<Texts> {
  const [lockfile = "", schedule = ""] = await Promise.all(
    [config.lockfile, SCHEDULE_FILE].map(async (name) =>
      textOrNot(placeInProject(root, name).then(readRegular)),
    ),
  );
  return { lockfile, schedule };
}

async function textsAt(project: Project, read: ReadAtBase): Promise<Texts> {
  const lockfile = await read(lockfileNamedIn(await read(PROJECT_FILE), project));
  return { lockfile, schedule: await read(SCHEDULE_FILE) };
}

/** The lockfile that the plancast.yaml of the base names: the checkout could name one of another project. */
function lockfileNamedIn(text: string, { config }: Project): string {
  const { contents } = parseDocument(text, { logLevel: "silent" });
  if (!isMap(contents)) return config.lockfile;
  const named = contents.get("lockfile");
  // A file that plancast.yaml extends may name it.
  const usual = contents.has("extends") ? config.lockfile : DEFAULT_LOCKFILE;
  return typeof named === "string" ? named : usual;
}

function compared(
  now: Texts,
  before: Texts,
  more: { own?: string | undefined; ownSchedule?: string | undefined; isPullRequest: boolean },
): Compared {
  const { own, ownSchedule, isPullRequest } = more;
  const base =
    before.lockfile === now.lockfile
      ? undefined
      : { lockfile: parsed(before.lockfile), own: own === undefined ? undefined : parsed(own) };
  if (before.schedule === now.schedule) return { base, isPullRequest };
  return { base, schedule: { base: before.schedule, own: ownSchedule }, isPullRequest };
}

/** Empty for anything but a lockfile: it says nothing. */
function parsed(text: string): Lockfile {
  try {
    return checkLockfile(JSON.parse(text)).data ?? emptyLockfile("");
  } catch {
    return emptyLockfile("");
  }
}

function textOrNot(bytes: Promise<Buffer>): Promise<string | undefined> {
  return bytes.then(String, () => undefined);
}
