/**
 * Commits a lockfile to the repository, on top of the branch or through a pull request. git works beside the checkout,
 * which does not change. Nothing is forced: a push that loses a race is repeated on top of the winner.
 */

import { posix } from "node:path";
import { z } from "zod";
import { type GitResult, runGit } from "../disk/run-git.ts";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import type { Lockfile } from "../model/lockfile.ts";
import { lockfileText, mergeLockfiles, parseLockfile } from "../sync/state/lockfile.ts";
import type { GitHubApi } from "./api.ts";
import type { Job } from "./runner.ts";

/** Tries for a push. */
const ATTEMPTS = 8;

/** Longest wait before a retry, ms. */
const MAX_WAIT_MS = 2000;

const BOT = { name: "github-actions[bot]", email: "41898282+github-actions[bot]@users.noreply.github.com" };

interface LockfilePush {
  readonly git: Git;
  /** Its path from the project's folder, in which git runs. */
  readonly lockfile: string;
  /** The lockfile after the run. */
  readonly text: string;
  /** The service's origin that it must have. */
  readonly origin: string;
  /** The branch of the run. */
  readonly branch: string;
  /** The branch to push to, if it is another one: it starts from `branch` and merges it each time. */
  readonly into?: string;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Returns `unchanged` if the branch has the same lockfile. Throws a Failure if it cannot be pushed. */
export async function pushLockfile(given: LockfilePush): Promise<"unchanged" | "pushed"> {
  const { git, clock, random } = given;
  const prefix = (await git.run(["rev-parse", "--show-prefix"])).replace(/\n$/, "");
  const path = posix.normalize(prefix + given.lockfile);
  const base = await textAt(git, "HEAD", path);
  if (given.text === base) return "unchanged";
  let before: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const tips = await fetchTips(given);
    const at = `${tips.branch} ${tips.into ?? ""}`;
    const result = await pushOnce(given, tips, path, base);
    if (typeof result === "string") return result;
    // Nobody else has pushed since the last try, so the failure is not a race.
    if (at === before || attempt === ATTEMPTS) throw pushFailure(given, result.stderr);
    before = at;
    await clock.sleep(random() * MAX_WAIT_MS);
  }
}

interface Tips {
  readonly branch: string;
  /** Undefined if that branch does not exist yet, or is not plancast's own. */
  readonly into: string | undefined;
}

async function fetchTips({ git, branch, into }: LockfilePush): Promise<Tips> {
  const tip = async (name: string): Promise<string> => {
    await git.run(["fetch", "--no-tags", "--no-recurse-submodules", "origin", `refs/heads/${name}`]);
    return (await git.run(["rev-parse", "--verify", "FETCH_HEAD^{commit}"])).trim();
  };
  const own = into === undefined ? "" : await git.run(["ls-remote", "origin", `refs/heads/${into}`]);
  return { branch: await tip(branch), into: into === undefined || own === "" ? undefined : await tip(into) };
}

async function pushOnce(
  given: LockfilePush,
  tips: Tips,
  path: string,
  base: string,
): Promise<"unchanged" | "pushed" | { readonly stderr: string }> {
  const { git, branch, into = branch } = given;
  const theirs = await textAt(git, tips.into ?? tips.branch, path);
  const text = mergedText(given, base, theirs);
  if (text === (await textAt(git, tips.branch, path))) return "unchanged";
  if (text === theirs && tips.into !== undefined) return "unchanged";
  const commit = await commitOf(git, tips, path, text, `Update ${posix.basename(path)}`);
  const { code, stderr } = await git.try([
    "push",
    "--no-follow-tags",
    "origin",
    `${commit}:refs/heads/${into}`,
  ]);
  return code === 0 ? "pushed" : { stderr };
}

/** The lockfile for the branch, merged with other changes since the run began. */
function mergedText({ text, lockfile, origin }: LockfilePush, base: string, theirs: string): string {
  if (theirs === base || theirs === text) return text;
  const read = (each: string): Lockfile => parseLockfile(each, lockfile, origin);
  return lockfileText(mergeLockfiles(read(base), read(text), read(theirs)));
}

/** A file in a commit; empty if it is missing. */
async function textAt(git: Git, commit: string, path: string): Promise<string> {
  const { code, stdout } = await git.try(["rev-parse", "--verify", "--quiet", `${commit}:${path}`]);
  return code === 0 ? git.run(["cat-file", "blob", stdout.trim()]) : "";
}

/** A commit of only this file, made beside the checkout and its index. */
async function commitOf(git: Git, tips: Tips, path: string, text: string, message: string): Promise<string> {
  const folder = (await git.run(["rev-parse", "--absolute-git-dir"])).trim();
  const env = { GIT_INDEX_FILE: posix.join(folder, "plancast-index") };
  const blob = (await git.run(["hash-object", "-w", "--stdin"], { input: text })).trim();
  await git.run(["read-tree", tips.branch], { env });
  await git.run(["update-index", "-z", "--index-info"], { env, input: `100644 ${blob}\t${path}\0` });
  const tree = (await git.run(["write-tree"], { env })).trim();
  const parents = tips.into === undefined ? [tips.branch] : [tips.into, tips.branch];
  const commit = await git.run(
    ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    {
      input: `${message}\n`,
      env: {
        GIT_AUTHOR_NAME: BOT.name,
        GIT_AUTHOR_EMAIL: BOT.email,
        GIT_COMMITTER_NAME: BOT.name,
        GIT_COMMITTER_EMAIL: BOT.email,
      },
    },
  );
  return commit.trim();
}

function pushFailure({ lockfile, into, branch }: LockfilePush, stderr: string): Failure {
  return new Failure(
    "ci/lockfile",
    `git cannot push ${lockfile} to ${into ?? branch}: ${lastLines(stderr)}.`,
    "Give the job `permissions:` with `contents: write`. If the branch is protected, check out with a deploy key or an app that may push, or use `lockfile: pull-request`. Do not edit or delete rows until the lockfile is there: the next run could not find their old posts.",
  );
}

const PERMISSION = "pull-requests: write";

const pull = z.object({ html_url: z.string() });

/** The branch of a lockfile that waits for its pull request. */
export function lockfileBranch(name: string): string {
  return `plancast/lockfile-${name}`;
}

/** The address of the open pull request from a branch into the job's; opens one if there is none. */
export async function ensurePullRequest(
  api: GitHubApi,
  { repository, refName }: Job,
  branch: string,
  texts: { readonly title: string; readonly body: string },
): Promise<string | undefined> {
  const [owner = ""] = repository.split("/");
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, base: refName });
  const path = `/repos/${repository}/pulls`;
  for await (const entry of api.entries({ path: `${path}?${query.toString()}`, permission: PERMISSION })) {
    const read = pull.safeParse(entry);
    if (read.success) return read.data.html_url;
  }
  const body = { ...texts, head: branch, base: refName };
  return pull.safeParse(await api.call({ method: "POST", path, body, permission: PERMISSION })).data
    ?.html_url;
}

/** Longest time for one command, ms. */
const TIMEOUT_MS = 120_000;

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class Git {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #timeoutMs: number;

  /** @param folder working folder  @param env the process's own  @param timeoutMs for one command */
  constructor(
    folder: string,
    env: Readonly<Record<string, string | undefined>>,
    timeoutMs: number = TIMEOUT_MS,
  ) {
    this.#folder = folder;
    this.#env = env;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a command to its end, whatever the result. Throws a Failure if git is missing. */
  async try(args: readonly string[], { input = "", env = {} }: GitOptions = {}): Promise<GitResult> {
    const ran = await runGit(args, {
      folder: this.#folder,
      env: { ...this.#env, ...env },
      timeoutMs: this.#timeoutMs,
      input,
    });
    if (ran === undefined) throw gitFailure("git cannot be run here", "Install git on the runner.");
    return { ...ran, stderr: withoutSecrets(ran.stderr) };
  }

  /** The output of a command. Throws a Failure unless it succeeds. */
  async run(args: readonly string[], options?: GitOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, options);
    if (code === 0) return stdout;
    throw gitFailure(`\`git ${args[0] ?? ""}\` failed: ${lastLines(stderr)}`);
  }
}

/** Hides the text before the host of an address: it may be a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/[^\s@/]*@/g, "://••••@");
}

/** The end of git's output, which has the reason. */
function lastLines(stderr: string): string {
  return stderr.trim().split(/\n+/).slice(-3).join(" ").slice(-400);
}

function gitFailure(what: string, hint?: string): Failure {
  return new Failure("ci/lockfile", `${what}.`, hint);
}
