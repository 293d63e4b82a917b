/**
 * The inputs of the GitHub Action, which action.yml describes and passes as INPUT_…. Also the projects that a job
 * runs: all that its input names, or those that a pull request touches.
 */

import { basename, dirname, relative, sep } from "node:path";
import { z } from "zod";
import {
  choosesFolder,
  findProjects,
  matchProjects,
  touchedProjects,
} from "../../calendars/find-projects.ts";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { findRepository } from "../../disk/git.ts";
import { Git, pathInCommit } from "../../github/git-branch.ts";
import { changedFiles } from "../../github/pull-request-files.ts";
import type { Job } from "../../github/runner.ts";
import { Failure } from "../../model/failure.ts";
import { PLAN_HASH } from "../../model/plan.ts";
import type { ProjectChoice } from "../../report/several-projects.ts";
import type { Env } from "../../settings/environment.ts";
import type { Shell } from "../shell/shell.ts";

const yesOrNo = z.enum(["true", "false"]).transform((text) => text === "true");

/** One per line. */
const lines = z
  .string()
  .default("")
  .transform((text) => text.split("\n").flatMap((line) => line.trim() || []));

/** A folder's pattern from the working folder: it matches no folder outside. */
const folderPattern = z
  .string()
  .refine(
    (pattern) => !/^!?[/\\~]|\\|(?:^!?|[/{,])\.\.(?:[/},]|$)|\p{Cc}/u.test(pattern),
    "is not a pattern for folders in the checkout, such as clients/*",
  );

/** The input `name`: the beginning of the names of artifacts. */
export const DEFAULT_NAME = "plancast";

const inputsSchema = z.object({
  command: z.enum(["validate", "plan", "apply", "hold", "publish", "fetch", "watch"]),
  config: z.string().default(""),
  projects: lines.pipe(z.array(folderPattern)),
  all_projects: yesOrNo.default(false),
  calendars: lines,
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/)
    .default(DEFAULT_NAME),
  comment: yesOrNo.default(true),
  pages: z.enum(["false", "true", "public"]).default("false"),
  /** With several projects, there may be several. */
  plan: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (hashes) => hashes.every((hash) => PLAN_HASH.test(hash)),
      "is not the hash of a plan; copy the hash from the summary of the refused run",
    )
    .optional(),
  reviewed_plan: z.enum(["changes", "exact", "off"]).default("changes"),
  allow_cancels: z
    .string()
    .regex(/^\d{1,9}$/, "is not a whole number; write it in digits, such as 12")
    .transform(Number)
    .optional(),
  allow_recreates: z
    .string()
    .regex(/^\d{1,9}$/, "is not a whole number; write it in digits, such as 12")
    .transform(Number)
    .optional(),
  hold: z
    .string()
    .default("")
    .transform((text) => text.split(/[\n;]/).flatMap((part) => part.trim() || [])),
  reason: z.string().default(""),
  until: z.string().optional(),
  lockfile: z.enum(["commit", "pull-request", "none"]).default("commit"),
  auto_merge: yesOrNo.default(false),
  sheet_results: yesOrNo.default(false),
  apply_workflow: z
    .string()
    .regex(/^[\w.-]{1,100}\.ya?ml$/, "is not the name of a file in .github/workflows, such as plancast.yml")
    .default("plancast.yml"),
});

export interface Inputs extends z.infer<typeof inputsSchema> {
  /** Token for GitHub's API; empty if there is none. */
  readonly token: string;
}

/** Throws a Failure that names the input. An empty input counts as absent. */
export function readInputs(env: Env): Inputs {
  const given = Object.keys(inputsSchema.shape).map((key) => [key, inputOf(env, key.toUpperCase())]);
  const read = inputsSchema.safeParse(Object.fromEntries(given));
  if (read.success) {
    if (read.data.projects.length > 0) refuseOneProjectsInputs(env);
    return { ...read.data, token: env["INPUT_GITHUB_TOKEN"]?.trim() ?? "" };
  }
  const [issue] = read.error.issues;
  throw new Failure(
    "ci/input",
    `The input ${String(issue?.path[0]).replaceAll("_", "-")}: ${issue?.message ?? "is not valid"}.`,
    "docs/run/ci.md lists all inputs.",
  );
}

/** Inputs that are for one project. With several projects, one could get what belongs to another. */
const SINGLE: Readonly<Record<string, string>> = {
  "base-url":
    "Set `service.url` in each plancast.yaml, and confirm the addresses with the variable PLANCAST_TRUSTED_ORIGINS.",
  "api-key":
    "Name a variable for each key with `service.key_env`, and list them under `env:` in the workflow, such as `ACME_KEY: ${{ secrets.ACME_KEY }}`.",
  accounts: "Each lockfile records the accounts of its project.",
  config: "The input projects already names the folders.",
  calendars: "Name the calendars in each plancast.yaml.",
  "allow-cancels":
    "Its number is for the plan of one project. Run the workflow by hand with the hash of that plan as `plan`.",
  "allow-recreates":
    "Its number is for the plan of one project. Run the workflow by hand with the hash of that plan as `plan`.",
};

/** Throws a Failure. */
function refuseOneProjectsInputs(env: Env): void {
  for (const [name, hint] of Object.entries(SINGLE)) {
    if (inputOf(env, name.toUpperCase().replaceAll("-", "_")) === undefined) continue;
    const message = `The input ${name} is for one project, but the input projects names several.`;
    throw new Failure("ci/input", message, hint);
  }
}

/** Refuses the content of a pull request, because it is not merged yet, even if its author may push. */
export function checkMayChange({ event, source, isBranch }: Job): void {
  if (source === "merged" && isBranch) return;
  throw new Failure(
    "ci/input",
    `This command runs on a branch, not on ${source === "merged" ? "a tag" : `\`${event}\` of a pull request`}. Nothing was changed.`,
    "Use `command: plan` here, and `command: apply` on pushes to the branch that you publish.",
  );
}

/** Variables that inputs set: they count as part of the environment, not of the checkout. */
const VARIABLES = ["BASE_URL", "ACCOUNTS", "REDIS_URL", "MEDIA_ALLOW_HOSTS"] as const;

/** The environment of a job, with the inputs about the service. */
export function withServiceInputs(env: Env): Env {
  const given = VARIABLES.map((name) => [`PLANCAST_${name}`, inputOf(env, name) ?? env[`PLANCAST_${name}`]]);
  // Also on runners that do not set it: nobody can answer a question, and the checkout may be a stranger's.
  return { ...env, ...Object.fromEntries(given), CI: "true" };
}

/** The environment for git: it has its own credentials, and does not need plancast's. */
export function withoutInputs(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("INPUT_") && !name.startsWith("PLANCAST_")),
  );
}

/** The input `api-key`: the key of this project, whatever variable plancast.yaml names. */
export function keyInput(env: Env): string | undefined {
  return inputOf(env, "API_KEY");
}

function inputOf(env: Env, name: string): string | undefined {
  return env[`INPUT_${name}`]?.trim() || undefined;
}

export interface ChosenProjects {
  /** Absolute paths of each plancast.yaml that runs. */
  readonly files: readonly string[];
  /** Those of all projects that the input names. */
  readonly all: readonly string[];
  readonly choice: ProjectChoice;
}

/** Changes of these files concern all projects: the workflows, and how git writes the checkout's files. */
const SHARED = /^(?:\.github\/|\.gitattributes$)/;

/** Throws a Failure if a pattern matches no project. */
export async function namedProjects({ projects }: Inputs, { cwd }: Shell): Promise<readonly string[]> {
  if (projects.every((pattern) => pattern.startsWith("!")))
    throw new Failure(
      "ci/input",
      "The input projects has only lines with `!`, which leave out projects.",
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
    why: ProjectChoice["why"],
    removed: readonly string[] = [],
  ): ChosenProjects => ({
    files,
    all,
    choice: { all: all.length, why, removed },
  });
  const held = heldFolders(inputs);
  if (held.length > 0) return choose(foldersAmong(all, held, shell.cwd), { kind: "named" });
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

const HELD_PROJECT = "project=";

/** The folders that the input `hold` names with `project=`. */
function heldFolders({ command, hold }: Inputs): readonly string[] {
  return command === "hold"
    ? hold.flatMap((part) => (part.startsWith(HELD_PROJECT) ? part.slice(HELD_PROJECT.length).trim() : []))
    : [];
}

/** The conditions of the input `hold` for rows; none for all. Throws a Failure if it is blank. */
export function heldConditions({ hold }: Inputs): readonly string[] {
  if (hold.length === 0)
    throw new Failure(
      "ci/input",
      "The input hold is empty.",
      "Write all, or conditions such as campaign=spring.",
    );
  return hold.filter((part) => part !== "all" && !part.startsWith(HELD_PROJECT));
}

/** Throws a Failure for a name without a project, because that hold would stop nothing. */
function foldersAmong(files: readonly string[], names: readonly string[], cwd: string): readonly string[] {
  const folders = new Map(
    files.map((file) => [relative(cwd, dirname(file)).split(sep).join("/") || ".", file]),
  );
  return names.map((name) => {
    const file = folders.get(name.replace(/\/$/, ""));
    if (file !== undefined) return file;
    throw new Failure(
      "ci/input",
      `The input hold: there is no project in ${JSON.stringify(name)}. Nothing was stopped.`,
      `Name one of these folders: ${[...folders.keys()].join(", ")}.`,
    );
  });
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
