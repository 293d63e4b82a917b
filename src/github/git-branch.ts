/**
 * Commits files on top of a branch of the remote, beside the checkout, which does not change. git executes nothing from
 * the checkout (see disk/git.ts), and no filter or merge driver, because no file is checked out.
 */

import { posix } from "node:path";
import { newId } from "../disk/machine.ts";
import { makeTemporaryFolder } from "../disk/files.ts";
import { type GitResult, runGit } from "../disk/git.ts";
import { Failure } from "../model/failure.ts";
import type { Code } from "../problems/catalogue.ts";

const BOT: Author = {
  name: "github-actions[bot]",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};

/** git's working folder, as a path from the root of the repository: empty, or with `/` at its end. */
export async function folderInCommit(git: Git): Promise<string> {
  return (await git.run(["rev-parse", "--show-prefix"])).replace(/\n$/, "");
}

/** The path in a commit for a path from git's working folder. */
export async function pathInCommit(git: Git, path: string): Promise<string> {
  return posix.normalize((await folderInCommit(git)) + path);
}

/** Fetches only what is named. A plan leaves no file behind, not even FETCH_HEAD, which each fetch in the clone replaces. */
export const FETCH = ["fetch", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"] as const;

/** The newest commit of a branch of the remote. Fetches it into a ref with a random name. */
export async function fetchTip(git: Git, branch: string): Promise<string> {
  const ref = `refs/plancast/${newId()}`;
  try {
    await git.run([...FETCH, "origin", `+refs/heads/${branch}:${ref}`]);
    return (await git.run(["rev-parse", "--verify", `${ref}^{commit}`])).trim();
  } finally {
    await git.try(["update-ref", "--no-deref", "-d", ref]);
  }
}

/** The newest commit of a branch of the remote, and of another ref there, if it exists. One fetch gets both. */
export async function fetchWithRef(
  git: Git,
  branch: string,
  ref: string,
): Promise<{ readonly tip: string; readonly other: string | undefined }> {
  const folder = `refs/plancast/${newId()}`;
  const [tipRef, otherRef] = [`${folder}/tip`, `${folder}/other`];
  try {
    // With a pattern, a missing ref does not make it fail.
    await git.run([...FETCH, "origin", `+refs/heads/${branch}:${tipRef}`, `+${ref}*:${otherRef}*`]);
    const tip = (await git.run(["rev-parse", "--verify", `${tipRef}^{commit}`])).trim();
    const other = await git.try(["rev-parse", "--verify", "--quiet", `${otherRef}^{commit}`]);
    return { tip, other: other.code === 0 ? other.stdout.trim() : undefined };
  } finally {
    for (const each of [tipRef, otherRef]) await git.try(["update-ref", "--no-deref", "-d", each]);
  }
}

/**
 * Adds a commit to a branch of the remote, without force.
 * @param ref another ref of the remote that the commit replaces, if the remote takes it
 */
export async function pushTo(git: Git, commit: string, branch: string, ref?: string): Promise<GitResult> {
  const push = ["push", "--no-follow-tags", "--no-recurse-submodules"];
  const target = `${commit}:refs/heads/${branch}`;
  if (ref !== undefined) {
    const both = await git.try([...push, "--atomic", "origin", target, `+${commit}:${ref}`]);
    if (both.code === 0) return both;
  }
  return git.try([...push, "origin", target]);
}

/** A file in a commit; empty if it is missing. */
export async function textAt(git: Git, commit: string, path: string): Promise<string> {
  const { code, stdout } = await git.try(["rev-parse", "--verify", "--quiet", `${commit}:${path}`]);
  return code === 0 ? git.run(["cat-file", "blob", stdout.trim()]) : "";
}

interface CommitOptions {
  /** The commit that all other files come from. */
  readonly on: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Who made the change. Default: GitHub's bot. */
  readonly author?: Author | undefined;
}

interface Author {
  readonly name: string;
  readonly email: string;
}

/** The bytes of a file in a commit; undefined if it is missing. */
export async function bytesAt(git: Git, commit: string, path: string): Promise<Uint8Array | undefined> {
  const { code, bytes } = await git.try(["cat-file", "blob", `${commit}:${path}`]);
  return code === 0 ? bytes : undefined;
}

/** Contents by their path in a commit. */
export type CommittedFiles = ReadonlyMap<string, string | Uint8Array>;

/** A commit that changes only these files. */
export async function commitFiles(
  git: Git,
  files: CommittedFiles,
  { on, parents, message, author: { name, email } = BOT }: CommitOptions,
): Promise<string> {
  const tree = await treeWith(git, files, on);
  const commit = await git.run(
    ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    {
      input: `${message}\n`,
      env: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
      },
    },
  );
  return commit.trim();
}

/** The tree of a commit with these files. Each call has a separate index, because several runs may share the clone. */
async function treeWith(git: Git, files: CommittedFiles, on: string): Promise<string> {
  const folder = await makeTemporaryFolder("plancast-index-");
  try {
    const env = { GIT_INDEX_FILE: folder.place.in("index").path };
    await git.run(["read-tree", on], { env });
    for (const [path, input] of files) {
      const blob = (await git.run(["hash-object", "-w", "--stdin"], { input })).trim();
      await git.run(["update-index", "-z", "--index-info"], { env, input: `100644 ${blob}\t${path}\0` });
    }
    return (await git.run(["write-tree"], { env })).trim();
  } finally {
    await folder.remove();
  }
}

/** Longest time for one command, in ms. */
const TIMEOUT_MS = 120_000;

interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export class Git {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #timeoutMs: number;
  readonly #code: Code;

  /**
   * @param folder working folder  @param env the process's own  @param timeoutMs for one command
   * @param code of failures
   */
  constructor(
    folder: string,
    env: Readonly<Record<string, string | undefined>>,
    timeoutMs: number = TIMEOUT_MS,
    code: Code = "repository/push",
  ) {
    this.#folder = folder;
    this.#env = env;
    this.#timeoutMs = timeoutMs;
    this.#code = code;
  }

  /** Runs a command to its end, whatever the result. Throws a Failure if git is missing. */
  async try(args: readonly string[], { input = "", env = {} }: GitOptions = {}): Promise<GitResult> {
    const ran = await runGit(args, {
      folder: this.#folder,
      env: { ...this.#env, ...env },
      timeoutMs: this.#timeoutMs,
      input,
    });
    if (ran === undefined)
      throw new Failure(this.#code, "git cannot be run here.", "Install git on this machine.");
    return { ...ran, stderr: withoutSecrets(ran.stderr) };
  }

  /** The output of a command. Throws a Failure unless it succeeds. */
  async run(args: readonly string[], options?: GitOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, options);
    if (code === 0) return stdout;
    const [, branch] = /couldn't find remote ref refs\/heads\/(\S+)/.exec(stderr) ?? [];
    throw new Failure(
      this.#code,
      `\`git ${args[0] ?? ""}\` failed: ${lastLines(stderr)}.`,
      branch === undefined ? undefined : `Push this branch first: \`git push -u origin ${branch}\`.`,
    );
  }
}

/** Hides the text before the host of an address: it may be a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/[^\s@/]*@/g, "://••••@");
}

/** The end of git's output, which has the reason, without a full stop. */
export function lastLines(stderr: string): string {
  return stderr.trim().split(/\n+/).slice(-3).join(" ").slice(-400).replace(/\.$/, "");
}
