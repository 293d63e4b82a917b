/**
 * The files of a pull request: those that it changes, from the commits of the checkout, and their addresses on
 * GitHub's website.
 */

import { parseUrl } from "../model/address.ts";
import type { Git } from "./git-branch.ts";
import type { Job, PullRequest } from "./runner.ts";

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

interface FileLinks {
  /** Address of the line in a text file, or of a whole workbook, because GitHub cannot show its rows. */
  readonly place: (at: {
    readonly file: string;
    readonly line?: number;
    readonly cell?: string;
  }) => string | undefined;
  /** The hash of the bytes of a file that git tracks. */
  readonly picture: (path: string) => string | undefined;
}

/**
 * Links to files of a project, by their paths from its folder.
 * @param folder the project's, from the root of the checkout; empty if they are the same
 * @param tracked paths of the files that the commit holds
 * @returns undefined if the project is not in the checkout
 */
export function fileLinks(
  { serverUrl, repository, pullRequest, sha }: Pick<Job, "serverUrl" | "repository" | "pullRequest" | "sha">,
  folder: string,
  tracked: ReadonlySet<string>,
): FileLinks | undefined {
  if (folder.split("/").includes("..") || parseUrl(serverUrl) === undefined) return undefined;
  const commit = pullRequest?.headSha ?? sha;
  const link = (kind: "blob" | "raw", file: string): string | undefined => {
    const path = encodedPath(folder === "" ? file : `${folder}/${file}`);
    return path === undefined ? undefined : `${serverUrl}/${repository}/${kind}/${commit}/${path}`;
  };
  return {
    place: ({ file, line, cell }) => {
      const address = link("blob", file);
      return address === undefined || line === undefined || cell !== undefined
        ? address
        : `${address}#L${line}`;
    },
    picture: (path) => (tracked.has(path) ? link("raw", path) : undefined),
  };
}

/** Escapes everything that could end the address, or be Markdown or HTML. Undefined for what no address can name. */
function encodedPath(path: string): string | undefined {
  const parts = path.split("/");
  if (/\p{Cs}/u.test(path) || parts.some((part) => part === "" || part === "." || part === ".."))
    return undefined;
  return parts.map((part) => encodeURIComponent(part).replaceAll(/[!'()*~_]/g, percentEncoded)).join("/");
}

function percentEncoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** An entry of a tree: the mode of a regular file, then its path. Symbolic links do not count. */
const REGULAR_FILE = /^100\d{3} blob [0-9a-f]+\t([^]+)$/;

/** The files below git's folder that the checked-out commit holds, as paths from there; none outside a repository. */
export async function trackedFiles(git: Git): Promise<ReadonlySet<string>> {
  const { code, stdout } = await git.try(["ls-tree", "-r", "-z", "HEAD"]);
  return new Set(
    code === 0 ? stdout.split("\0").flatMap((entry) => REGULAR_FILE.exec(entry)?.[1] ?? []) : [],
  );
}
