/**
 * `plancast init` in a repository that already has projects: what the new one takes from them, and the one workflow of
 * all. A new project needs its key there. What cannot be edited safely is not edited: then people get the lines to
 * add.
 */

import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Document, type Pair, type YAMLMap, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { choosesFolder, findProjects } from "../../calendars/find-projects.ts";
import { parseProject, readProject } from "../../calendars/project.ts";
import { createWhole, makeFolder, namesIn, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { findRepository, textOf } from "../../disk/git.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { DEFAULT_KEY_VARIABLE } from "../../problems/connection-texts.ts";
import type { SharedWorkflow } from "../../report/init/notes.ts";
import { type Config, type Project, REPOSITORY } from "../../settings/config.ts";
import type { FurtherProject } from "./files.ts";
import { keyExpression, keyLine, projectPatterns, workflowTemplate } from "./workflows.ts";

/** A repository can be a whole home folder. */
const MAX_FOLDERS = 5_000;

/**
 * Undefined if the repository has no other project, or if there is no repository.
 * @param root absolute path of the new project's folder
 * @param sharesTimezone whether it takes the time zone of the shared settings, if they have one
 */
export async function furtherProject(
  root: string,
  sharesTimezone: boolean,
): Promise<FurtherProject | undefined> {
  const folder = await realpath(root);
  const repository = (await findRepository(folder))?.root;
  if (repository === undefined) return undefined;
  const files = (await findProjects(repository, MAX_FOLDERS)).filter((file) => dirname(file) !== folder);
  if (files.length === 0) return undefined;
  const others = (await Promise.all(files.map(readIfValid))).filter((project) => project !== undefined);
  const shared = sharedFile(others);
  const config = shared?.config;
  return {
    extends: shared === undefined ? undefined : relative(folder, shared.path).split(sep).join("/"),
    shared: config,
    sharesTimezone: sharesTimezone && config?.timezone !== undefined,
    keyVariable: keyVariable(relative(repository, folder).split(sep), others),
    repository,
    others: others
      // With a schedule in the repository, there is no service, and no key for it.
      .filter(({ config: { service } }) => service.url !== REPOSITORY)
      .map((project) => ({
        folder: relative(repository, project.root).split(sep).join("/"),
        variable: project.config.service.key_env ?? DEFAULT_KEY_VARIABLE,
      })),
    rootGitignore: (await textOf(join(repository, ".gitignore"))) ?? "",
    rootGitattributes: (await textOf(join(repository, ".gitattributes"))) ?? "",
  };
}

/** A broken project does not prevent a new one. */
async function readIfValid(file: string): Promise<Project | undefined> {
  try {
    return await readProject(file);
  } catch (error) {
    if (error instanceof ProjectProblems || error instanceof Failure) return undefined;
    throw error;
  }
}

/** The file that all projects with `extends:` extend directly; undefined if they differ, or none has it. */
function sharedFile(
  others: readonly Project[],
): { readonly path: string; readonly config: Config } | undefined {
  const found = others.flatMap(({ root, extended = [] }) => {
    const [first] = extended;
    return first === undefined ? [] : [{ path: join(root, first.file), extended }];
  });
  const [shared] = found;
  if (shared === undefined || found.some(({ path }) => path !== shared.path)) return undefined;
  return { path: shared.path, config: parseProject("plancast.yaml", "", shared.extended) };
}

/** A variable that no other project names: `ACME_KEY` for clients/acme, or `CLIENTS_ACME_KEY`. */
function keyVariable(folders: readonly string[], others: readonly Project[]): string {
  const taken = new Set(others.map(({ config }) => config.service.key_env));
  const names = folders.map((_folder, index) => variableName(folders.slice(-index - 1)));
  // GitHub refuses secrets with this beginning.
  const allowed = names.map((name) => (name.startsWith("GITHUB_") ? `CLIENT_${name}` : name));
  return allowed.find((name) => !taken.has(name)) ?? allowed.at(-1) ?? "PROJECT_KEY";
}

function variableName(folders: readonly string[]): string {
  const words = folders.join("_").normalize("NFD").replaceAll(/\p{M}/gu, "").toUpperCase();
  const name = words
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^[_\d]+|_$/g, "")
    .slice(0, 80);
  return name === "" ? "PROJECT_KEY" : `${name}_KEY`;
}

const FOLDER = ".github/workflows";

/** Facts for the workflow of all projects. */
interface SharedWorkflowOptions {
  /** Absolute path of the repository. */
  readonly repository: string;
  /** What the jobs use, for example `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of the published calendars. */
  readonly branch: string;
  /** The new project: its folder from the repository, and the variable with its key. */
  readonly added: { readonly folder: string; readonly variable: string };
  /** The folders and variables of all others. */
  readonly others: FurtherProject["others"];
}

/** Writes the workflow, or adds the key of the new project to it. */
export async function updateSharedWorkflow(options: SharedWorkflowOptions): Promise<SharedWorkflow> {
  const { repository, added } = options;
  const found = await findShared(repository);
  if (found !== undefined) return extend(found, added);
  const path = `${FOLDER}/plancast.yml`;
  const place = await placeInProject(repository, path);
  if ((await statsAt(place)) === undefined) {
    await makeFolder(await placeInProject(repository, FOLDER));
    await createWhole(place, projectsWorkflow(options, false));
    return { kind: "written", path };
  }
  const text = (await readRegular(place)).toString("utf8");
  // A workflow for one project, as init wrote it.
  const { action, branch, others } = options;
  const repeats = [false, true].find((each) =>
    others.some(({ folder }) => workflowTemplate({ action, branch, folder, repeats: each }) === text),
  );
  if (repeats === undefined) return { kind: "by-hand", path, lines: stepLines(options) };
  await writeAtomic(place, projectsWorkflow(options, repeats));
  return { kind: "replaced", path };
}

/** What the steps of the workflow name. */
function namedIn({ added, others }: Pick<SharedWorkflowOptions, "added" | "others">) {
  const all = [...others, added];
  return {
    patterns: projectPatterns(all.map(({ folder }) => folder)),
    variables: [...new Set(all.map(({ variable }) => variable))].sort(),
  };
}

function projectsWorkflow(options: SharedWorkflowOptions, repeats: boolean): string {
  const { action, branch } = options;
  return workflowTemplate({ action, branch, repeats, ...namedIn(options) });
}

/** What to change by hand, so that a workflow for one project runs all of them. */
function stepLines(options: SharedWorkflowOptions): string[] {
  const { patterns, variables } = namedIn(options);
  const lines = (command: "plan" | "apply"): string[] => [
    `${command}, instead of base-url, api-key, working-directory and name:`,
    "    projects: |",
    ...patterns.map((pattern) => `      ${pattern}`),
    "  env:",
    ...variables.map((variable) => `    ${keyLine(variable, command)}`),
    "    PLANCAST_TRUSTED_ORIGINS: ${{ vars.PLANCAST_TRUSTED_ORIGINS }}",
  ];
  return [...lines("plan"), ...lines("apply")];
}

/** A workflow with steps that run several projects. */
interface FoundWorkflow {
  readonly path: string;
  readonly place: Place;
  readonly text: string;
}

async function findShared(repository: string): Promise<FoundWorkflow | undefined> {
  const folder = await placeInProject(repository, FOLDER);
  if ((await statsAt(folder))?.isDirectory() !== true) return undefined;
  for (const name of (await namesIn(folder)).sort()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const place = await placeInProject(repository, join(FOLDER, name));
    if ((await statsAt(place))?.isFile() !== true) continue;
    const text = (await readRegular(place)).toString("utf8");
    if (projectSteps(parseDocument(text)).length > 0) return { path: `${FOLDER}/${name}`, place, text };
  }
  return undefined;
}

/** A step with `projects:`. */
interface ProjectStep {
  readonly command: "plan" | "apply";
  readonly patterns: readonly string[];
  /** Its `env:`, if it has one that is a mapping. */
  readonly env: YAMLMap | undefined;
}

/** The steps of all jobs that plan or apply several projects. */
function projectSteps(document: Document): ProjectStep[] {
  const jobs = document.get("jobs");
  if (!isMap(jobs)) return [];
  return jobs.items.flatMap(({ value: job }: Pair) => {
    const steps = isMap(job) ? job.get("steps") : undefined;
    return isSeq(steps) ? steps.items.flatMap(projectStep) : [];
  });
}

function projectStep(step: unknown): ProjectStep[] {
  if (!isMap(step)) return [];
  const inputs = step.get("with");
  if (!isMap(inputs) || !String(step.get("uses")).includes("/plancast@")) return [];
  const command = inputs.get("command");
  const patterns = inputs.get("projects");
  if (typeof patterns !== "string" || (command !== "plan" && command !== "apply")) return [];
  const env = step.get("env");
  const lines = patterns.split("\n").flatMap((line) => line.trim() || []);
  return [{ command, patterns: lines, env: isMap(env) ? env : undefined }];
}

async function extend(
  { path, place, text }: FoundWorkflow,
  added: SharedWorkflowOptions["added"],
): Promise<SharedWorkflow> {
  const extended = withKey(text, added.variable);
  const isNamed = projectSteps(parseDocument(text)).every(({ patterns }) =>
    choosesFolder(patterns, added.folder),
  );
  if (extended === undefined || !isNamed)
    return {
      kind: "by-hand",
      path,
      lines: [
        ...(isNamed ? [] : [`Below projects, in each step: ${added.folder}`]),
        `Below env, in the step for plan: ${keyLine(added.variable, "plan")}`,
        `Below env, in the step for apply: ${keyLine(added.variable, "apply")}`,
      ],
    };
  if (extended === text) return { kind: "unchanged", path };
  await writeAtomic(place, extended);
  return { kind: "extended", path };
}

/** The text with the key in the environment of each step; undefined if that is not certain. */
function withKey(text: string, variable: string): string | undefined {
  const before = parseDocument(text);
  if (before.errors.length > 0) return undefined;
  const lines: { readonly at: number; readonly line: string }[] = [];
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  for (const { command, env } of projectSteps(before)) {
    const [first] = env?.items ?? [];
    const begin = isScalar(first?.key) ? first.key.range?.[0] : undefined;
    if (env === undefined || env.flow === true || begin === undefined) return undefined;
    if (env.has(variable)) continue;
    const start = text.lastIndexOf("\n", begin) + 1;
    const indent = text.slice(start, begin);
    if (!/^ +$/.test(indent)) return undefined;
    lines.push({ at: start, line: `${indent}${keyLine(variable, command)}${end}` });
  }
  const changed = lines
    .toSorted((one, other) => other.at - one.at)
    .reduce((whole, { at, line }) => whole.slice(0, at) + line + whole.slice(at), text);
  return hasOnlyKey(before, parseDocument(changed), variable) ? changed : undefined;
}

/** Whether the new keys are the only difference. */
function hasOnlyKey(before: Document, after: Document, variable: string): boolean {
  if (after.errors.length > 0) return false;
  for (const { command, env } of projectSteps(before)) env?.set(variable, keyExpression(variable, command));
  return isDeepStrictEqual(before.toJS(), after.toJS());
}
