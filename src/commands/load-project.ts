import { resolve } from "node:path";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { findProjectFile, readProject } from "../read/project.ts";
import type { GlobalFlags } from "./command.ts";
import type { Shell } from "./shell.ts";

/** The project that the command is about: the one named, or the nearest. Throws where there is none or it is broken. */
export async function loadProject({ config }: GlobalFlags, { cwd }: Shell): Promise<Project> {
  const path = config === undefined ? await findProjectFile(cwd) : resolve(cwd, config);
  if (path !== undefined) return readProject(path);
  throw new Failure(
    "project/not-found",
    "There is no plancast.yaml here or in any folder above.",
    "Run `plancast init` to start a project here, or name the project file with --config.",
  );
}
