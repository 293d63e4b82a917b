/**
 * What a checkout is compared with: the lockfile and the schedule before its changes. In jobs, these are what the last
 * apply of a job confirmed. If no job applies, they are the base branch's on a pull request, and of the commit before a
 * push. In other jobs after a merge, they are of its first parent. Elsewhere, they are of the commit that the checkout
 * shares with the main branch of its remote, as last fetched. What runs on this machine wrote counts, too, but not in CI,
 * where others may have written the state folder.
 */

import { posix } from "node:path";
import { isMap, parseDocument } from "yaml";
import { holdsIn } from "../../calendars/select.ts";
import { textOrNot } from "../../disk/files.ts";
import { type Repository, askGit, findRepository } from "../../disk/git.ts";
import { placeInProject } from "../../disk/place.ts";
import { confirmedFiles, isOlderThan } from "../../github/confirmed-files.ts";
import { type Git, FETCH, fetchTip, folderInCommit } from "../../github/git-branch.ts";
import { baseCommit } from "../../github/pull-request-files.ts";
import type { Job } from "../../github/runner.ts";
import { once } from "../../model/data.ts";
import { ignoreFailure } from "../../model/failure.ts";
import { HOLDS_FILE, withMainHolds } from "../../model/holds.ts";
import { type Lockfile, checkLockfile, emptyLockfile } from "../../model/lockfile.ts";
import { joinedText } from "../../repository/schedule-layers.ts";
import { OWN_SCHEDULE, PUBLISHED_FILE, SCHEDULE_FILE } from "../../repository/schedule.ts";
import { withLaterResults } from "../../repository/trusted-schedule.ts";
import { type Project, DEFAULT_LOCKFILE } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";
import { type Compared, statementsBesides } from "../../sync/plan/trusted.ts";
import { readOwnLockfile } from "../../sync/state/project-state.ts";

/** The text of a file; empty if it is missing. */
type ReadFile = (path: string) => Promise<string>;

const ALL_COUNTS: Compared = { base: undefined, isPullRequest: false };

/** Outside the jobs of `plancast ci`. */
export async function readCompared(project: Project, env: Env): Promise<Compared> {
  const { root, state } = project;
  const repository = await findRepository(root);
  if (repository === undefined) return ALL_COUNTS;
  const ask = askHere(root, repository);
  const mains = once(() => mainCommits(ask));
  const upstream = once(async () => newestLockfile(ask, await mains(), project));
  const holds = await holdsHere(ask, mains, project);
  const own = isCi(env) ? undefined : await readOwnLockfile(project);
  const ownSchedule = isCi(env) ? undefined : await textOrNot(state.in(OWN_SCHEDULE));
  const now = await textsOf(project);
  const commit = await sharedCommit(ask, mains, isCi(env));
  // Without a remote, everything counts, and still what this machine has done since.
  const before =
    commit === undefined ? now : await textsAt(project, (path) => readAt(ask, commit)(`./${path}`));
  return { ...compared(now, before, { own, ownSchedule, isPullRequest: false }), upstream, holds };
}

function askHere(root: string, repository: Repository): Ask {
  return async (args) => {
    const ran = await askGit(args, root, repository);
    return ran?.code === 0 ? ran.stdout : undefined;
  };
}

/** The text of the holds that count on this machine. */
export async function readHolds(project: Project): Promise<string> {
  const repository = await findRepository(project.root);
  if (repository === undefined) return holdsIn(project);
  const ask = askHere(project.root, repository);
  return (await holdsHere(ask, () => mainCommits(ask), project)).text;
}

/** With those of the main branch as last fetched, which a clone may lack. */
async function holdsHere(
  ask: Ask,
  mains: () => Promise<readonly string[]>,
  project: Project,
): Promise<NonNullable<Compared["holds"]>> {
  const [mine, [main]] = await Promise.all([holdsIn(project), mains()]);
  const path = `./${HOLDS_FILE}`;
  const there = main === undefined ? "" : await readAt(ask, main)(path);
  if (main === undefined || there === mine) return { text: mine };
  const shared = (await ask(["merge-base", "HEAD", main]))?.trim();
  const base = shared === undefined ? "" : await readAt(ask, shared)(path);
  return { text: withMainHolds(mine, base, there) };
}

/**
 * A job of a pull request shows what its merge would do. Other jobs obey the newest commit of the branch: they may run
 * on an older one.
 */
async function holdsInJob(
  project: Project,
  base: JobBase | undefined,
  git: Git,
  tip: () => Promise<string | undefined>,
  isPullRequest: boolean,
): Promise<NonNullable<Compared["holds"]>> {
  const text = await holdsIn(project);
  if (isPullRequest) return { text, ...(base === undefined ? {} : { before: await base.read(HOLDS_FILE) }) };
  const newest = await tip();
  return { text: newest === undefined ? text : await readAt(askOf(git), newest)(`./${HOLDS_FILE}`) };
}

/** What the checkout of a job is compared with. */
export interface JobBase {
  /** Without the job's changes. */
  readonly commit: string;
  /** The project's folder there, from the root of the repository: a pull request may rename it. */
  readonly folder: string;
  /** The commit that shows whether the job is older than the newest apply. */
  readonly age: string;
  /** Reads in that folder. */
  readonly read: ReadFile;
  readonly readFromRoot: ReadFile;
}

/** In a job of `plancast ci`. @param base of the job */
export async function comparedInJob(
  project: Project,
  job: Job,
  base: JobBase | undefined,
  git: Git,
): Promise<Compared> {
  const isPullRequest = job.pullRequest !== undefined;
  const ask = askOf(git);
  // A job may run again on an old commit, and its checkout does not show that.
  const tip = once(async () =>
    isPullRequest || !job.isBranch ? undefined : fetchTip(git, job.refName).catch(ignoreFailure),
  );
  const upstream = once(async () => newestLockfile(ask, [await tip()], project));
  const holds = await holdsInJob(project, base, git, tip, isPullRequest);
  if (base === undefined)
    return { base: isPullRequest ? "unknown" : undefined, isPullRequest, upstream, holds };
  const now = await textsOf(project);
  const before = await confirmedBefore(git, await textsAt(project, base.read), base);
  return { ...compared(now, before, { isPullRequest }), upstream, holds };
}

/** What lockfile and schedule of a pull request have besides those of its base, without the service. */
export async function broughtByPullRequest(
  project: Project,
  { read }: JobBase,
): Promise<ReturnType<typeof statementsBesides> & Pick<Compared, "schedule">> {
  const [now, before] = await Promise.all([textsOf(project), textsAt(project, read)]);
  const { schedule } = compared(now, before, { isPullRequest: true });
  const statements = statementsBesides(parsed(now.lockfile), parsed(before.lockfile));
  return { ...statements, ...(schedule === undefined ? {} : { schedule }) };
}

/** The base's files as the last apply of a job left them: since then, somebody may have merged anything. */
async function confirmedBefore(git: Git, before: NamedTexts, base: JobBase): Promise<Texts> {
  const files = [before.path, SCHEDULE_FILE];
  const confirmed = await confirmedFiles(git, base, files);
  if (confirmed === undefined) return before;
  const [lockfile, schedule] = await Promise.all(files.map(confirmed.read));
  // Since then, somebody may have named another lockfile, too: nothing has confirmed that one.
  const isSame = lockfile === before.lockfile && schedule === before.schedule;
  if (isSame || (await isOlderThan(git, base.age, confirmed.applied))) return before;
  return { lockfile: lockfile ?? "", schedule: withLaterResults(schedule ?? "", before.schedule) };
}

/** Undefined if the checkout has too few commits to know. */
export async function baseOfJob(git: Git, job: Job, project: Project): Promise<JobBase | undefined> {
  const { pullRequest } = job;
  const commit = pullRequest === undefined ? await pushBase(git, job) : await baseCommit(git, pullRequest);
  if (commit === undefined) return undefined;
  // The checkout of a push may be much newer than the commit before it. A trial merge is as old as its base.
  const age = pullRequest === undefined ? "HEAD" : commit;
  const folder = await folderAt(git, commit, project);
  const read = readAt(askOf(git), commit);
  return { commit, folder, age, readFromRoot: read, read: (path) => read(posix.join(folder, path)) };
}

/** The project's folder in an older commit. If the project is new here and gone there, it is where its lockfile was. */
async function folderAt(git: Git, commit: string, { file, config }: Project): Promise<string> {
  const folder = await folderInCommit(git);
  const [before, now] = [commit, "HEAD"].map((each) => readAt(askOf(git), each));
  const isThere = async (read: ReadFile | undefined, at: string): Promise<boolean> =>
    (await read?.(posix.join(at, file))) !== "";
  if (await isThere(before, folder)) return folder;
  const { lockfile } = config;
  const moved = await movedFiles(git, commit);
  const [from = ""] = moved.find(([, to]) => to === posix.join(folder, lockfile)) ?? [];
  const former = `/${from}`.endsWith(`/${lockfile}`) ? from.slice(0, -lockfile.length) : folder;
  return (await isThere(now, former)) ? folder : former;
}

/** Files that have another path than in an older commit, but the same bytes: both paths. */
async function movedFiles(
  git: Git,
  commit: string,
): Promise<readonly (readonly [was: string, now: string])[]> {
  const only = ["-r", "-z", "-M100%", "--diff-filter=R", "--name-status", "--no-commit-id"];
  const { stdout } = await git.try(["diff-tree", ...only, commit, "HEAD"]);
  const parts = stdout.split("\0");
  return Array.from({ length: Math.floor(parts.length / 3) }, (_each, index) => [
    parts[index * 3 + 1] ?? "",
    parts[index * 3 + 2] ?? "",
  ]);
}

/**
 * The commit before the push: one push may bring several merges, and the first parent may be the pull request's. In a job
 * without a push, the first parent of a merge, or the commit itself.
 */
async function pushBase(git: Git, { before }: Job): Promise<string> {
  const { stdout } = await git.try(["rev-list", "--parents", "--max-count=1", "HEAD"]);
  const [, first, second] = stdout.trim().split(" ");
  if (before === undefined) return (second === undefined ? undefined : first) ?? "HEAD";
  if ((await git.try(["cat-file", "-e", `${before}^{commit}`])).code === 0) return before;
  const { code } = await git.try([...FETCH, "--depth=1", "origin", before]);
  return code === 0 ? before : (first ?? "HEAD");
}

/** The output of a git command in the project's folder; undefined if it fails. */
type Ask = (args: readonly string[]) => Promise<string | undefined>;

function askOf(git: Git): Ask {
  return async (args) => {
    const { code, stdout } = await git.try(args);
    return code === 0 ? stdout : undefined;
  };
}

/** Reads files by their paths from the root of the repository. A path that starts with `./` is from git's folder. */
function readAt(ask: Ask, commit: string): ReadFile {
  return async (path) => (await ask(["cat-file", "blob", `${commit}:${path}`])) ?? "";
}

/** Where the main branch of the remote is, as last fetched; the first that exists counts. */
export const UPSTREAMS = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "@{upstream}",
];

/** The main branch of the remote as last fetched, then the upstream branch; those that exist. */
async function mainCommits(ask: Ask): Promise<readonly string[]> {
  const found = await Promise.all(
    UPSTREAMS.map((name) => ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`])),
  );
  return [...new Set(found.flatMap((commit) => commit?.trim() ?? []))];
}

/** The newest commit that HEAD shares with the main branch. In CI, the first parent of a merge. */
async function sharedCommit(
  ask: Ask,
  mains: () => Promise<readonly string[]>,
  inCi: boolean,
): Promise<string | undefined> {
  if (inCi) {
    const parents = (await ask(["rev-list", "--parents", "--max-count=1", "HEAD"])) ?? "";
    const [, first, second] = parents.trim().split(" ");
    if (second !== undefined) return first;
  }
  const [main] = await mains();
  return main === undefined ? undefined : (await ask(["merge-base", "HEAD", main]))?.trim();
}

/** The lockfile of the first of these commits that the checkout lacks; undefined if there is none. */
async function newestLockfile(
  ask: Ask,
  commits: readonly (string | undefined)[],
  { config }: Project,
): Promise<Lockfile | undefined> {
  for (const commit of commits) {
    if (commit === undefined) continue;
    if ((await ask(["merge-base", "--is-ancestor", commit, "HEAD"])) !== undefined) continue;
    const text = await readAt(ask, commit)(`./${config.lockfile}`);
    if (text !== "") return parsed(text);
  }
  return undefined;
}

interface Texts {
  readonly lockfile: string;
  /** Of both files. */
  readonly schedule: string;
}

async function textsOf({ root, config }: Project): Promise<Texts> {
  const [lockfile = "", schedule = "", published = ""] = await Promise.all(
    [config.lockfile, SCHEDULE_FILE, PUBLISHED_FILE].map(async (name) =>
      textOrNot(placeInProject(root, name)),
    ),
  );
  return { lockfile, schedule: joinedText({ schedule, published }) };
}

interface NamedTexts extends Texts {
  /** Of the lockfile. */
  readonly path: string;
}

async function textsAt(project: Project, read: ReadFile): Promise<NamedTexts> {
  const path = await lockfileNamedAt(project, read);
  const texts = { schedule: await read(SCHEDULE_FILE), published: await read(PUBLISHED_FILE) };
  return { path, lockfile: await read(path), schedule: joinedText(texts) };
}

/** More files than may extend each other. */
const MAX_SETTINGS_FILES = 12;

/**
 * The lockfile that the settings of the base name. The checkout could name one that an earlier pull request brought, or
 * one of another project.
 */
async function lockfileNamedAt({ file, config }: Project, read: ReadFile): Promise<string> {
  let next = file;
  for (let count = 0; count < MAX_SETTINGS_FILES; count += 1) {
    const { contents } = parseDocument(await read(next), { logLevel: "silent" });
    // There is no project yet, or it is broken.
    if (!isMap(contents)) return next === file ? config.lockfile : DEFAULT_LOCKFILE;
    const [named, extended] = ["lockfile", "extends"].map((name): unknown => contents.get(name));
    if (typeof named === "string") return named;
    if (typeof extended !== "string") return DEFAULT_LOCKFILE;
    next = posix.join(posix.dirname(next), extended.replaceAll("\\", "/"));
  }
  return DEFAULT_LOCKFILE;
}

function compared(
  now: Texts,
  before: Texts,
  more: { own?: string | undefined; ownSchedule?: string | undefined; isPullRequest: boolean },
): Compared {
  const { own, ownSchedule, isPullRequest } = more;
  // After a revert, the lockfile may be an old one, although this machine or the base has gone on.
  const base =
    before.lockfile === now.lockfile && (own === undefined || own === now.lockfile)
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
