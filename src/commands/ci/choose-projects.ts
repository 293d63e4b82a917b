/** Which projects a job of the GitHub Action runs: all that its input names, or those that a pull request touches. */

import { basename, dirname } from "node:path";
import {
  findProjects,
  matchProjects,
  choosesFolder,
  touchedProjects,
} from "../../calendars/find-projects.ts";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { findRepository } from "../../disk/git.ts";
import { changedFiles } from "../../github/pull-request-files.ts";
import { Git, pathInCommit } from "../../github/git-branch.ts";
import type { Job } from "../../github/runner.ts";
import { Failure } from "../../model/failure.ts";
import type { Choice } from "../../report/projects-markdown.ts";
import type { Shell } from "../shell/shell.ts";
import { type Inputs, withoutInputs } from "./inputs.ts";

export interface ChosenProjects {
  /** Absolute paths of each plancast.yaml that runs. */
  readonly files: readonly string[];
  /** Those of all projects that the input names. */
  readonly all: readonly string[];
  readonly choice: Choice;
}

/** Changes of these files concern all projects: the workflows, and how git writes the checkout's files. */
const SHARED = /^(?:\.github\/|\.gitattributes$)/;

/** Throws a Failure if a pattern matches no project. */
export async function namedProjects({ projects }: Inputs, { cwd }: Shell): Promise<readonly string[]> {
  if (projects.every((pattern) => pattern.startsWith("!")))
    throw new Failure(
      "ci/input",
      "The input projects only leaves out projects.",
      "Name some, such as clients/*.",
    );
  const { files, unused } = matchProjects(await findProjects(cwd), cwd, projects);
  if (unused.length > 0)
    throw new Failure(
      "ci/input",
      `The input projects: ${unused.map((pattern) => JSON.stringify(pattern)).join(", ")} matches no folder with a plancast.yaml.`,
      "Write folders, one per line, relative to the root of the repository, such as clients/acme or clients/*.",
    );
  if (files.length > 0) return files;
  throw new Failure(
    "ci/input",
    "The input projects leaves out every project.",
    "Correct the lines with `!`.",
  );
}

/** Throws a Failure if a pattern matches no project. */
export async function chooseProjects(inputs: Inputs, job: Job, shell: Shell): Promise<ChosenProjects> {
  const all = await namedProjects(inputs, shell);
  const choose = (
    files: readonly string[],
    why: Choice["why"],
    removed: readonly string[] = [],
  ): ChosenProjects => ({
    files,
    all,
    choice: { all: all.length, why, removed },
  });
  // A run of apply may do the work of several merges, because GitHub drops waiting runs.
  const isNarrowed = inputs.command === "plan" || inputs.command === "validate";
  if (job.pullRequest === undefined || !isNarrowed) return choose(all, { kind: "all" });
  const git = new Git(shell.cwd, withoutInputs(shell.env));
  const changed = await changedFiles(git, job.pullRequest);
  const root = (await findRepository(shell.cwd))?.root;
  if (changed === undefined || root === undefined)
    return choose(all, { kind: inputs.all_projects ? "all" : "unknown" });
  const removed = await removedProjects(changed, inputs, git);
  if (inputs.all_projects) return choose(all, { kind: "all" }, removed);
  const shared = [...changed].find((path) => SHARED.test(path));
  if (shared !== undefined) return choose(all, { kind: "shared", file: shared }, removed);
  return choose(await touchedProjects(all, root, changed), { kind: "touched" }, removed);
}

/** Folders that the input names, and whose plancast.yaml is gone. */
async function removedProjects(
  changed: ReadonlySet<string>,
  { projects }: Inputs,
  git: Git,
): Promise<readonly string[]> {
  const top = await pathInCommit(git, ".");
  const prefix = top === "./" || top === "." ? "" : top.replace(/\/?$/, "/");
  const gone: string[] = [];
  for (const path of changed) {
    if (basename(path) !== PROJECT_FILE || !path.startsWith(prefix)) continue;
    const folder = dirname(path.slice(prefix.length)).replace(/^\.$/, "");
    if (!choosesFolder(projects, folder)) continue;
    const { code } = await git.try(["cat-file", "-e", `HEAD:${path}`]);
    if (code !== 0) gone.push(folder === "" ? "." : folder);
  }
  return gone;
}
