/**
 * The project of a command: finds and reads it, places the files that a user names, and edits plancast.yaml as text.
 */

import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { findProjects } from "../../calendars/find-projects.ts";
import { findProjectFile, readProject } from "../../calendars/project.ts";
import { readRegular, writeAtomic } from "../../disk/files.ts";
import { placeInProject } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";
import { maximaOf, withinMaxima } from "../../settings/maxima.ts";
import { type Compared, withoutEvidence } from "../../sync/plan/trusted.ts";
import type { GlobalFlags, ProjectRun, Run } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";
import { readCompared } from "./base.ts";

/** The working folder can be a whole home folder. */
const MAX_FOLDERS = 1_000;

type Where = Pick<GlobalFlags, "config">;

/**
 * The project for the command: the named one, or the nearest. Throws if there is none, or it is broken.
 * @param compared in a job: what the checkout is compared with
 */
export async function loadProject(
  where: Where,
  shell: Pick<Shell, "cwd" | "env">,
  compared?: Compared,
): Promise<Project> {
  const read = await readProject(await projectFile(where, shell));
  const project = { ...read, config: withinMaxima(read.config, maximaOf(shell.env)) };
  return {
    ...project,
    counted: async (lockfile) =>
      withoutEvidence(lockfile, compared ?? (await readCompared(project, shell.env))),
  };
}

/** The run with its project. Throws like `loadProject`. */
export async function openProject<Flags>(run: Run<Flags>): Promise<ProjectRun<Flags>> {
  return { ...run, project: await loadProject(run.flags, run.shell, run.compared) };
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
  const below = await findProjects(shell.cwd, MAX_FOLDERS);
  throw new Failure(
    "project/not-found",
    "There is no plancast.yaml here or in any folder above.",
    wayOn(below, shell),
  );
}

function wayOn([first, ...others]: readonly string[], { cwd }: Pick<Shell, "cwd">): string {
  if (first === undefined)
    return "Run `plancast init` to start a project here, or name a plancast.yaml with --config.";
  const folder = relative(cwd, dirname(first)).split(sep).join("/");
  const found = others.length === 0 ? "There is 1 project" : `There are ${others.length + 1} projects`;
  return `${found} below. Go to ${folder}${others.length === 0 ? "" : ", or to another one"}. Or add --all, if the command has it, such as plan, apply or hold.`;
}

/** A file that the user named. It does not have to exist yet. */
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

interface ProjectFile {
  /** The text without a byte order mark. */
  readonly text: string;
  /** Replaces the whole text. Throws a Failure if the file cannot be written. */
  readonly write: (text: string) => Promise<void>;
}

/** Throws a Failure for a file that is not UTF-8, because an edit would damage it. */
export async function openProjectFile({ root, file }: Project): Promise<ProjectFile> {
  const place = await placeInProject(root, file);
  const bytes = await readRegular(place);
  const text = bytes.toString("utf8");
  if (!bytes.equals(Buffer.from(text)))
    throw new Failure(
      "write/not-written",
      `${file} is not UTF-8, so nothing was written.`,
      "Save it as UTF-8.",
    );
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return {
    text: text.slice(mark.length),
    async write(changed) {
      try {
        await writeAtomic(place, mark + changed);
      } catch (error) {
        const why = reasonOf(error);
        throw new Failure("disk/not-writable", `${file} cannot be written: ${why}`, "Check its permissions.");
      }
    },
  };
}
