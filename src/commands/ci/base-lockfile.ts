/** The lockfile of the branch that a pull request is for. What only the pull request's lockfile says proves nothing. */

import { isMap, parseDocument } from "yaml";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { baseCommit } from "../../github/pull-request-files.ts";
import { Git, pathInCommit, textAt } from "../../github/git-branch.ts";
import { type Lockfile, checkLockfile, emptyLockfile } from "../../model/lockfile.ts";
import { withoutInputs } from "./inputs.ts";
import type { CiStep } from "./report.ts";

/**
 * Undefined outside a pull request. `unknown` if the checkout has too few commits. Empty if the base branch has no
 * lockfile there, or its plancast.yaml names another one: the pull request could name one of another project.
 */
export async function baseLockfile({
  job,
  project: { root, config },
  shell,
}: CiStep): Promise<Lockfile | "unknown" | undefined> {
  if (job.pullRequest === undefined) return undefined;
  const git = new Git(root, withoutInputs(shell.env));
  const base = await baseCommit(git, job.pullRequest);
  if (base === undefined) return "unknown";
  const named = lockfileIn(await textAt(git, base, await pathInCommit(git, PROJECT_FILE)));
  const text =
    named === undefined || named === config.lockfile
      ? await textAt(git, base, await pathInCommit(git, config.lockfile))
      : "";
  return parsed(text) ?? emptyLockfile("");
}

/** What plancast.yaml itself says, and not a file that it extends. */
function lockfileIn(text: string): unknown {
  const { contents } = parseDocument(text, { logLevel: "silent" });
  return isMap(contents) ? contents.get("lockfile") : undefined;
}

function parsed(text: string): Lockfile | undefined {
  try {
    return checkLockfile(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
