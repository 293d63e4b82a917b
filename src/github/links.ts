/** Addresses on GitHub's website of the files in a pull request's newest commit. */

import { parseUrl } from "../model/address.ts";
import type { Git } from "./git-branch.ts";
import type { Job } from "./runner.ts";

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
