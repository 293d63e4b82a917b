/** The lockfile of the upstream branch: it shows whether this clone is older than what others have pushed. */

import { askGit, findRepository } from "../../disk/git.ts";
import { type Lockfile, checkLockfile } from "../../model/lockfile.ts";
import type { Project } from "../../settings/config.ts";

const UPSTREAMS = ["@{upstream}", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"];

/**
 * The lockfile of the upstream branch as last fetched, if this checkout lacks some of its commits. Without an upstream
 * branch, the main branch of `origin` counts. Undefined if there is neither, or the file cannot be read there.
 */
export async function upstreamLockfile({
  root,
  config,
}: Pick<Project, "root" | "config">): Promise<Pick<Lockfile, "posts"> | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) return undefined;
  const ask = async (...args: readonly string[]): Promise<string | undefined> => {
    const ran = await askGit(args, root, repository);
    return ran?.code === 0 ? ran.stdout : undefined;
  };
  const find = (name: string): Promise<string | undefined> =>
    ask("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  let commit: string | undefined;
  for (const name of UPSTREAMS) commit ??= (await find(name))?.trim();
  if (commit === undefined) return undefined;
  const isIncluded = (await ask("merge-base", "--is-ancestor", commit, "HEAD")) !== undefined;
  const text = isIncluded ? undefined : await ask("cat-file", "blob", `${commit}:./${config.lockfile}`);
  return text === undefined ? undefined : parsed(text);
}

function parsed(text: string): Lockfile | undefined {
  try {
    return checkLockfile(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
