/**
 * What the applies of jobs have confirmed: commits that hold only lockfiles and schedules, under refs of the remote. A
 * pull request changes branches only, so nothing in it can change these refs. They are what jobs compare a checkout with,
 * and what publish sends, because a pull request may be merged without an apply.
 *
 * | what the remote has                                     | what counts |
 * | ------------------------------------------------------- | ----------- |
 * | files of the project that an apply of a job confirmed   | these files |
 * | none, and a workflow of the commit applies the project  | nothing: the run that should have confirmed its files was dropped, or failed |
 * | none, and no workflow applies it                        | the commit's own files: only people apply, on their machines |
 * | unknown, because the remote cannot be read              | the commit's own files |
 */

import { posix } from "node:path";
import { parseDocument } from "yaml";
import { newId } from "../disk/machine.ts";
import { isObject } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import { type Git, FETCH, commitFiles, lastLines, textAt } from "./git-branch.ts";

/** What counts of a project's lockfile and schedule. */
export interface ConfirmedFiles {
  /** The commit of the branch that was applied; undefined if nothing is confirmed. */
  readonly applied: string | undefined;
  /** The text of a file by its path from the project's folder; undefined if it is not confirmed. */
  readonly read: (path: string) => Promise<string | undefined>;
}

const NOTHING: ConfirmedFiles = { applied: undefined, read: () => Promise.resolve(undefined) };

/**
 * Undefined: the files of the commit count.
 * @param folder the project's, as a path from the root of the repository: empty, or with `/` at its end
 * @param files paths of lockfile and schedule from there
 */
export async function confirmedFiles(
  git: Git,
  { commit, folder }: { readonly commit: string; readonly folder: string },
  files: readonly string[],
): Promise<ConfirmedFiles | undefined> {
  const records = await fetchRecords(git);
  if (records === undefined) return undefined;
  const inRepository = (file: string): string => posix.join(folder, file);
  const paths = files.map(inRepository);
  // Somebody may have named another lockfile since then, so any file in the folder shows that jobs apply the project.
  const record = records.find(({ held }) =>
    held.some((path) => paths.includes(path) || posix.dirname(path) === posix.join(folder, ".")),
  );
  if (record === undefined) return (await isAppliedByJobs(git, commit, folder)) ? NOTHING : undefined;
  const read = async (file: string): Promise<string | undefined> =>
    (await textAt(git, record.commit, inRepository(file))) || undefined;
  return { applied: record.applied, read };
}

const FOLDER = "refs/plancast/";
const CONFIRMED = `${FOLDER}confirmed-`;

/** What one name of a project has confirmed. */
interface Confirmed {
  /** The input `name` of the job. */
  readonly name: string;
  /** The commit that holds the files. */
  readonly commit: string;
  readonly applied: string;
  /** The paths of the files in the repository. */
  readonly held: readonly string[];
}

/** Newest first. Undefined if the remote cannot be read. */
async function fetchRecords(git: Git): Promise<readonly Confirmed[] | undefined> {
  const folder = `${FOLDER}${newId()}/`;
  // With a pattern, git fetches no branch or tag whose name ends so, and a missing ref does not make it fail.
  if ((await git.try([...FETCH, "origin", `+${CONFIRMED}*:${folder}*`])).code !== 0) return undefined;
  const format = ["--sort=-committerdate", "--format=%(objectname) %(refname)"];
  const listed = (await git.run(["for-each-ref", ...format, folder])).split("\n").filter(Boolean);
  const records: Confirmed[] = [];
  for (const line of listed) {
    const [commit = "", ref = ""] = line.split(" ");
    const [, applied] = APPLIED.exec((await git.try(["cat-file", "commit", commit])).stdout) ?? [];
    const { stdout: tree } = await git.try(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
    const held = tree.split("\0").filter(Boolean);
    if (applied !== undefined) records.push({ name: ref.slice(folder.length), commit, applied, held });
    await git.try(["update-ref", "--no-deref", "-d", ref]);
  }
  return records;
}

const APPLIED = /^Applied: ([0-9a-f]{40,64})$/m;

/** Whether a workflow or an own action of a commit applies the project in a folder, and keeps its lockfile. */
async function isAppliedByJobs(git: Git, commit: string, folder: string): Promise<boolean> {
  const folders = [".github/workflows/", ".github/actions/"];
  const { stdout } = await git.try(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, ...folders]);
  for (const path of stdout.split("\0").filter(Boolean))
    if (stepInputsIn(await textAt(git, commit, path)).some((inputs) => isApplyOf(inputs, folder)))
      return true;
  return false;
}

/** The inputs of every step of a workflow or an action, as far as they have a command. Broken YAML has none. */
function stepInputsIn(text: string): readonly Inputs[] {
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0) return [];
  const file: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isObject(file)) return [];
  const jobs = isObject(file["jobs"]) ? Object.values(file["jobs"]) : [];
  return [...jobs, file["runs"]].flatMap((job) => {
    const steps = isObject(job) ? job["steps"] : undefined;
    if (!Array.isArray(steps)) return [];
    return steps.flatMap((step: unknown) => {
      const inputs = isObject(step) ? step["with"] : undefined;
      return isObject(inputs) && "command" in inputs ? [inputs] : [];
    });
  });
}

type Inputs = Readonly<Record<string, unknown>>;

function isApplyOf(
  { command, lockfile, projects, "working-directory": at = "." }: Inputs,
  folder: string,
): boolean {
  const mayApply = command === "apply" || isChosenLater(command);
  if (!mayApply || lockfile === "none") return false;
  return (
    projects !== undefined || isChosenLater(at) || posix.join(String(at), ".") === posix.join(folder, ".")
  );
}

/** Whether the workflow decides the value only when it runs. */
function isChosenLater(value: unknown): boolean {
  return typeof value !== "string" || value.includes("${{");
}

/** Whether a commit is older than the newest apply: its job runs again, or runs late. */
export async function isOlderThan(git: Git, commit: string, applied: string | undefined): Promise<boolean> {
  if (applied === undefined) return false;
  const id = (await git.try(["rev-parse", "--verify", "--quiet", `${commit}^{commit}`])).stdout.trim();
  if (id === applied) return false;
  if ((await git.try(["cat-file", "-e", `${applied}^{commit}`])).code !== 0) {
    const isShallow = (await git.try(["rev-parse", "--is-shallow-repository"])).stdout.trim() !== "false";
    const depth = isShallow ? [`--depth=${SEEN_COMMITS}`] : [];
    await git.try([...FETCH, ...depth, "origin", applied]);
  }
  return (await git.try(["merge-base", "--is-ancestor", id, applied])).code === 0;
}

/** In a checkout with few commits. A job on an even older commit sees posts without rows. */
const SEEN_COMMITS = 50;

/**
 * Stores what an apply confirmed at HEAD. Throws a Failure if the remote refuses.
 * @param name the input of the job  @param files texts by their paths in the repository
 */
export async function pushConfirmed(
  git: Git,
  name: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  if (files.size === 0) return;
  const known = (await fetchRecords(git))?.find((each) => each.name === name);
  if (await isOlderThan(git, "HEAD", known?.applied)) return;
  const texts = await Promise.all(
    [...files].map(async ([path, text]) => known && text === (await textAt(git, known.commit, path))),
  );
  if (texts.every(Boolean)) return;
  const empty = (await git.run(["hash-object", "-t", "tree", "--stdin"])).trim();
  const head = (await git.run(["rev-parse", "HEAD"])).trim();
  const message = `Files that an apply confirmed\n\nApplied: ${head}`;
  const commit = await commitFiles(git, files, { on: known?.commit ?? empty, parents: [], message });
  // With a pattern, git pushes to exactly this name, also if a branch's name ends so.
  const folder = `${FOLDER}${newId()}`;
  const ref = `${folder}/${name}`;
  await git.run(["update-ref", "--no-deref", ref, commit]);
  const only = ["--no-follow-tags", "--no-recurse-submodules"];
  const { code, stderr } = await git.try(["push", ...only, "origin", `+${folder}/*:${CONFIRMED}*`]);
  await git.try(["update-ref", "--no-deref", "-d", ref]);
  if (code !== 0)
    throw new Failure(
      "repository/push",
      `git cannot push ${CONFIRMED}${name}: ${lastLines(stderr)}.`,
      "Give the job `permissions:` with `contents: write`.",
    );
}
