/**
 * What a checkout is compared with: the lockfile before its changes. In a job on a pull request, that is the base
 * branch's; after the merge, the merge's first parent's, or on another push the one of the commit before it. Elsewhere,
 * it is that of the commit that the checkout shares with the main branch of its remote, as last fetched. What runs on
 * this machine wrote counts, too, but not in CI, where others may have written the state folder.
 */

import { isMap, parseDocument } from "yaml";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { type Repository, askGit, findRepository } from "../../disk/git.ts";
import { readRegular } from "../../disk/files.ts";
import { Git, pathInCommit, textAt } from "../../github/git-branch.ts";
import { baseCommit } from "../../github/pull-request-files.ts";
import type { Job } from "../../github/runner.ts";
import { type Lockfile, checkLockfile, emptyLockfile } from "../../model/lockfile.ts";
import { type Project, DEFAULT_LOCKFILE } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import { lockfilePlace } from "../../sync/state/lockfile.ts";
import { readOwnLockfile } from "../../sync/state/project-state.ts";
import type { Base } from "../../sync/plan/trusted.ts";
import type { Shell } from "../shell/shell.ts";

/** Undefined: the whole lockfile counts. `unknown`: the checkout has too few commits to know. */
export type FoundBase = Base | "unknown" | undefined;

/** Outside the jobs of `plancast ci`. */
export async function readBase(project: Project, { env }: Pick<Shell, "env">): Promise<FoundBase> {
  const text = await textOfLockfile(project);
  const own = isCi(env) ? "" : await readOwnLockfile(project);
  // Only runs on this machine have changed it.
  if (text === own) return undefined;
  const repository = await findRepository(project.root);
  if (repository === undefined) return undefined;
  const ask = askIn(project.root, repository);
  const commit = await sharedCommit(ask, isCi(env));
  if (commit === undefined) return undefined;
  const before = await lockfileAt(
    project,
    async (path) => (await ask(["show", `${commit}:./${path}`])) ?? "",
  );
  return before === text
    ? undefined
    : { lockfile: parsed(before), own: own === "" ? undefined : parsed(own) };
}

/** In a job of `plancast ci`. */
export async function readBaseOfJob(project: Project, job: Job, env: Shell["env"]): Promise<FoundBase> {
  const git = new Git(project.root, env);
  const commit =
    job.pullRequest === undefined ? await pushBase(git, job) : await baseCommit(git, job.pullRequest);
  if (commit === undefined) return job.pullRequest === undefined ? undefined : "unknown";
  const text = await lockfileAt(project, async (path) => textAt(git, commit, await pathInCommit(git, path)));
  return text === (await textOfLockfile(project)) ? undefined : { lockfile: parsed(text) };
}

/** The first parent of a merge, otherwise the commit before the push; without either, the commit itself. */
async function pushBase(git: Git, { before }: Job): Promise<string | undefined> {
  const [, first, second] = (await git.try(["rev-list", "--parents", "--max-count=1", "HEAD"])).stdout
    .trim()
    .split(" ");
  if (first !== undefined && second !== undefined) return first;
  if (before === undefined) return "HEAD";
  const isThere = (await git.try(["cat-file", "-e", `${before}^{commit}`])).code === 0;
  if (isThere) return before;
  const fetched = await git.try([
    "fetch",
    "--depth=1",
    "--no-tags",
    "--no-recurse-submodules",
    "origin",
    before,
  ]);
  return fetched.code === 0 ? before : (first ?? "HEAD");
}

type Ask = (args: readonly string[]) => Promise<string | undefined>;

function askIn(root: string, repository: Repository): Ask {
  return async (args) => {
    const ran = await askGit(args, root, repository);
    return ran?.code === 0 ? ran.stdout : undefined;
  };
}

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
    const [, first, second] = ((await ask(["rev-list", "--parents", "--max-count=1", "HEAD"])) ?? "")
      .trim()
      .split(" ");
    if (second !== undefined) return first;
  }
  for (const name of UPSTREAMS) {
    const upstream = await ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (upstream !== undefined) return (await ask(["merge-base", "HEAD", upstream.trim()]))?.trim();
  }
  return undefined;
}

/** The lockfile that plancast.yaml names there. The checkout could name one of another project. */
async function lockfileAt({ config }: Project, read: (path: string) => Promise<string>): Promise<string> {
  const { contents } = parseDocument(await read(PROJECT_FILE), { logLevel: "silent" });
  const named = isMap(contents) ? contents.get("lockfile") : undefined;
  // A file that plancast.yaml extends may name it.
  const isExtended = isMap(contents) && contents.has("extends");
  const usual = contents === null || isExtended ? config.lockfile : DEFAULT_LOCKFILE;
  return read(typeof named === "string" ? named : usual);
}

async function textOfLockfile(project: Project): Promise<string> {
  return readRegular(await lockfilePlace(project)).then(String, () => "");
}

/** Empty for anything but a lockfile: it says nothing. */
function parsed(text: string): Lockfile {
  try {
    return checkLockfile(JSON.parse(text)).data ?? emptyLockfile("");
  } catch {
    return emptyLockfile("");
  }
}
