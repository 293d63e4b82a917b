/**
 * `plancast init` in a repository that already has projects: what the new one takes from them, and the one workflow of
 * all. A new project needs its key there. A workflow that somebody has edited stays as it is: then people get the lines
 * to add.
 */

import { dirname, join, relative, sep } from "node:path";
import { findProjects } from "../../calendars/find-projects.ts";
import { PROJECT_FILE, parseProject, readProject } from "../../calendars/project.ts";
import { createWhole, makeFolder, namesIn, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { findRepository, textOf } from "../../disk/git.ts";
import { realpath } from "../../disk/machine.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { DEFAULT_KEY_VARIABLE } from "../../problems/connection-texts.ts";
import type { SharedWorkflow } from "../../report/init/notes.ts";
import { type Config, type Project, REPOSITORY } from "../../settings/config.ts";
import type { FurtherProject } from "./files.ts";
import { keyLine, projectPatterns, workflowTemplate } from "./workflows.ts";

/** A repository can be a whole home folder. */
const MAX_FOLDERS = 5_000;

/**
 * Undefined if the repository has no other project, or if there is no repository.
 * @param root absolute path of the new project's folder
 * @param sharesTimezone whether it takes the time zone of the shared settings, if they have one
 * @param named absolute path of a file with shared settings: then the first project counts as one of several, too
 */
export async function furtherProject(
  root: string,
  sharesTimezone: boolean,
  named?: string,
): Promise<FurtherProject | undefined> {
  const folder = await realpath(root);
  const repository = (await findRepository(folder))?.root;
  if (repository === undefined) return undefined;
  const files = (await findProjects(repository, MAX_FOLDERS)).filter((file) => dirname(file) !== folder);
  if (files.length === 0 && named === undefined) return undefined;
  const others = (await Promise.all(files.map(readIfValid))).filter((project) => project !== undefined);
  const shared = named === undefined ? sharedFile(others) : await sharedFileAt(named, folder);
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

/** The settings in a shared file, for a project in this folder. */
async function sharedFileAt(path: string, folder: string): Promise<ReturnType<typeof sharedFile>> {
  const file = relative(folder, path).split(sep).join("/");
  const text = (await textOf(path)) ?? "";
  return { path, config: parseProject(PROJECT_FILE, "", [{ file, text }]) };
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

/**
 * Writes the workflow of all projects. Replaces one that is exactly as init wrote it: for one project, or for all others.
 * Any other one is not edited.
 */
export async function updateSharedWorkflow({
  repository,
  action,
  branch,
  added,
  others,
}: SharedWorkflowOptions): Promise<SharedWorkflow> {
  const all = [...others, added];
  const workflowOf = (projects: FurtherProject["others"], repeats: boolean): string =>
    workflowTemplate({ action, branch, repeats, ...namesOf(projects) });
  const usual = `${FOLDER}/plancast.yml`;
  const workflows = await workflowsIn(repository);
  const found = workflows.find(runsPlancast) ?? workflows.find(({ path }) => path === usual);
  if (found === undefined) {
    await makeFolder(await placeInProject(repository, FOLDER));
    await createWhole(await placeInProject(repository, usual), workflowOf(all, false));
    return { kind: "written", path: usual };
  }
  const { path, place, text } = found;
  for (const repeats of [false, true]) {
    if (text === workflowOf(all, repeats)) return { kind: "unchanged", path };
    const isOfOne = others.some(
      ({ folder }) => text === workflowTemplate({ action, branch, folder, repeats }),
    );
    if (!isOfOne && text !== workflowOf(others, repeats)) continue;
    await writeAtomic(place, workflowOf(all, repeats));
    return { kind: isOfOne ? "replaced" : "extended", path };
  }
  return { kind: "by-hand", path, lines: stepLines(all) };
}

interface FoundWorkflow {
  readonly path: string;
  readonly place: Place;
  readonly text: string;
}

/** Whether it plans or applies, and does not only publish. */
function runsPlancast({ text }: FoundWorkflow): boolean {
  return text.includes("/plancast@") && /command: (?:plan|apply)\b/.test(text);
}

async function workflowsIn(repository: string): Promise<readonly FoundWorkflow[]> {
  const folder = await placeInProject(repository, FOLDER);
  if ((await statsAt(folder))?.isDirectory() !== true) return [];
  const found: FoundWorkflow[] = [];
  for (const name of (await namesIn(folder)).filter((each) => /\.ya?ml$/.test(each)).sort()) {
    const path = `${FOLDER}/${name}`;
    const place = await placeInProject(repository, path);
    if ((await statsAt(place))?.isFile() !== true) continue;
    found.push({ path, place, text: (await readRegular(place)).toString("utf8") });
  }
  return found;
}

/** What the steps of the workflow name. */
function namesOf(projects: FurtherProject["others"]) {
  return {
    patterns: projectPatterns(projects.map(({ folder }) => folder)),
    variables: [...new Set(projects.map(({ variable }) => variable))].sort(),
  };
}

/** What both steps must have, so that the workflow runs all projects. */
function stepLines(projects: FurtherProject["others"]): string[] {
  const { patterns, variables } = namesOf(projects);
  return (["plan", "apply"] as const).flatMap((command) => [
    `The step for ${command}, without base-url, api-key, working-directory and name:`,
    "    projects: |",
    ...patterns.map((pattern) => `      ${pattern}`),
    "  env:",
    ...variables.map((variable) => `    ${keyLine(variable, command)}`),
    "    PLANCAST_TRUSTED_ORIGINS: ${{ vars.PLANCAST_TRUSTED_ORIGINS }}",
  ]);
}
