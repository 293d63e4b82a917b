import { dirname, resolve } from "node:path";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { findProjectFile, readProject } from "../read/project.ts";
import type { GlobalFlags } from "./command.ts";
import type { Shell } from "./shell.ts";

type Where = Pick<GlobalFlags, "config">;

/** The project that the command is about: the one named, or the nearest. Throws where there is none or it is broken. */
export async function loadProject(where: Where, shell: Pick<Shell, "cwd">): Promise<Project> {
  return readProject(await projectFile(where, shell));
}

/** Absolute path of the project's folder, whatever its file says. Throws where there is none. */
export async function projectFolder(where: Where, shell: Pick<Shell, "cwd">): Promise<string> {
  return dirname(await projectFile(where, shell));
}

async function projectFile({ config }: Where, { cwd }: Pick<Shell, "cwd">): Promise<string> {
  const path = config === undefined ? await findProjectFile(cwd) : resolve(cwd, config);
  if (path !== undefined) return path;
  throw new Failure(
    "project/not-found",
    "There is no plancast.yaml here or in any folder above.",
    "Run `plancast init` to start a project here, or name the project file with --config.",
  );
}
