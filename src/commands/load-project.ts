import { resolve } from "node:path";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { findProjectFile, readProject } from "../read/project.ts";
import type { GlobalFlags } from "./command.ts";
import type { Shell } from "./shell.ts";

/** The project that the command is about: the one named, or the nearest. Throws where there is none or it is broken. */
export async function loadProject(flags: GlobalFlags, shell: Shell): Promise<Project> {
  return readProject(await projectFile(flags, shell));
}

/** Absolute path of that project's file. Throws where none is named and there is none. */
export async function projectFile({ config }: GlobalFlags, { cwd }: Shell): Promise<string> {
  const path = config === undefined ? await findProjectFile(cwd) : resolve(cwd, config);
  if (path !== undefined) return path;
  throw new Failure(
    "project/not-found",
    "There is no plancast.yaml here or in any folder above.",
    "Run `plancast init` to start a project here, or name the project file with --config.",
  );
}
