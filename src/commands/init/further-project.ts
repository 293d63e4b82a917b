/** `plancast init` in a repository that already has projects: what the new one takes from them. */

import { dirname, join, relative, sep } from "node:path";
import { realpath } from "node:fs/promises";
import { findProjects } from "../../calendars/find-projects.ts";
import { parseProject, readProject } from "../../calendars/project.ts";
import { findRepository, textOf } from "../../disk/git.ts";
import { DEFAULT_KEY_VARIABLE } from "../../problems/connection-texts.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Config, type Project, REPOSITORY } from "../../settings/config.ts";
import type { FurtherProject } from "./files.ts";

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
