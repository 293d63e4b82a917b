import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { findProjectFile, readProject } from "../../calendars/project.ts";
import { Failure } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";
import type { ProjectRun, Run } from "../shell/command.ts";
import type { GlobalFlags } from "../shell/flags.ts";
import type { Shell } from "../shell/shell.ts";

type Where = Pick<GlobalFlags, "config">;

/** The project for the command: the named one, or the nearest. Throws if there is none, or it is broken. */
export async function loadProject(where: Where, shell: Pick<Shell, "cwd">): Promise<Project> {
  return readProject(await projectFile(where, shell));
}

/** The run with its project. Throws like `loadProject`. */
export async function openProject<Flags>(run: Run<Flags>): Promise<ProjectRun<Flags>> {
  return { ...run, project: await loadProject(run.flags, run.shell) };
}

/** Absolute path of the project's folder, whatever plancast.yaml contains. Throws if there is none. */
export async function projectFolder(where: Where, shell: Pick<Shell, "cwd">): Promise<string> {
  return dirname(await projectFile(where, shell));
}

/** Absolute path of plancast.yaml: the named file, which need not exist, or the nearest; undefined if there is none. */
export async function findProject(
  { config }: Where,
  { cwd }: Pick<Shell, "cwd">,
): Promise<string | undefined> {
  return config === undefined ? findProjectFile(cwd) : resolve(cwd, config);
}

async function projectFile(where: Where, shell: Pick<Shell, "cwd">): Promise<string> {
  const path = await findProject(where, shell);
  if (path !== undefined) return path;
  throw new Failure(
    "project/not-found",
    "There is no plancast.yaml here or in any folder above.",
    "Run `plancast init` to start a project here, or name a plancast.yaml with --config.",
  );
}

/** A file that the user named, which need not exist yet. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the project root, with `/`; undefined outside the project. */
  readonly file: string | undefined;
  /** For messages: relative to the project root, or as the user typed it. */
  readonly name: string;
}

/** @param folder that the name is relative to */
export function namedFile({ root }: Project, name: string, folder: string): NamedFile {
  const path = resolve(folder, name);
  const inRoot = relative(root, path);
  const isOutside = inRoot === ".." || inRoot.startsWith(`..${sep}`) || isAbsolute(inRoot);
  const file = isOutside ? undefined : inRoot.split(sep).join("/");
  return { path, file, name: file ?? name };
}
