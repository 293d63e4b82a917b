/** Writes a new project without replacing any file, and shows how to go on. */

import { actionReference } from "./action-reference.ts";
import { join, relative, sep } from "node:path";
import { createWhole, makeFolder, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { folderOf } from "../../disk/open-folder.ts";
import { findBranch, hasGithubRemote } from "../../disk/git.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import { shellArgument } from "../../model/text.ts";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { BEFORE_MERGE_DRIVER, sharedWorkflowText } from "../../report/init/notes.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import type { Run } from "../shell/command.ts";
import {
  type FileToWrite,
  type FurtherProject,
  type InitOptions,
  MERGE_DRIVER,
  filesToWrite,
  hasSheets,
  nextSteps,
} from "./files.ts";
import { updateSharedWorkflow } from "./several-projects.ts";
import { readSecret } from "../../problems/connection-texts.ts";
import { publishedBranch } from "./workflows.ts";

/** A project to start. */
interface NewProject extends Pick<InitOptions, "timezone" | "calendar" | "further"> {
  /** Absolute path of its folder. */
  readonly root: string;
}

/** The flags that decide which files are written. */
type ProjectFlags = Pick<InitOptions, "template"> & { readonly publish: boolean };

/** With --all, the projects extend one file, and the run says the rest at its end. */
export type InitRun<Flags> = Run<Flags> & {
  /** Absolute path of the shared settings. */
  readonly sharedFile?: string;
};

export async function writeProject(
  { root, timezone, calendar, further }: NewProject,
  { flags, shell, console }: Run<ProjectFlags>,
): Promise<void> {
  const { branch, folder } = await positionOf(root);
  const files = filesToWrite({
    today: new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(shell.clock.now()),
    timezone,
    action: await actionReference(),
    branch,
    folder,
    publishes: flags.publish,
    template: flags.template,
    calendar,
    gitignore: await readIfExists(root, ".gitignore"),
    gitattributes: await readIfExists(root, ".gitattributes"),
    further,
  });
  await writeNewFiles(root, files);
  const shown = nameIn(shell.cwd, root);
  for (const { path } of files)
    console.note(`wrote ${escapeTerminal(shown === "" ? path : join(shown, path))}\n`);
}

/** Where a folder is in its repository, if it has one. */
async function positionOf(
  root: string,
): Promise<{ readonly branch: string | undefined; readonly folder: string }> {
  const repository = await findBranch(root);
  return {
    branch: repository?.branch,
    folder: repository === undefined ? "" : nameIn(repository.root, root),
  };
}

export async function showNextSteps(
  { root, further, calendar }: Pick<NewProject, "root" | "further" | "calendar">,
  run: InitRun<ProjectFlags>,
  hasTeamPage: boolean,
): Promise<void> {
  if (run.sharedFile !== undefined) return;
  const folder = nameIn(run.shell.cwd, root);
  if (folder !== "") note(`Next: cd ${shellArgument(folder)}`, run);
  const position = await positionOf(root);
  const isOnGithub = await hasGithubRemote(root);
  const fetches = hasSheets(calendar) && further === undefined;
  const started = { ...position, further, publishes: run.flags.publish, isOnGithub, hasTeamPage, fetches };
  for (const step of nextSteps(started)) note(step, run);
  if (further !== undefined && isOnGithub && !run.flags.publish) await shareWorkflow(further, position, run);
  if (position.branch === undefined || further !== undefined) return;
  note(BEFORE_MERGE_DRIVER, run);
  // Never wrapped, because people copy it.
  run.console.note(`    ${MERGE_DRIVER}\n`);
}

/** Adds the project to the workflow of all projects. */
async function shareWorkflow(
  { repository, keyVariable: variable, others }: FurtherProject,
  { branch, folder }: Awaited<ReturnType<typeof positionOf>>,
  run: Run<ProjectFlags>,
): Promise<void> {
  const target = { repository, action: await actionReference(), branch: publishedBranch(branch) };
  const shared = await updateSharedWorkflow({ ...target, added: { folder, variable }, others });
  const { notes, before } = sharedWorkflowText(shared, { variable, secret: readSecret(variable) });
  for (const each of notes) note(each, run);
  if (shared.kind !== "by-hand") return;
  note(before, run);
  // Never wrapped, because people copy them.
  for (const line of shared.lines) run.console.note(`    ${escapeTerminal(line)}\n`);
}

export function note(text: string, { console }: Run<ProjectFlags>): void {
  console.note(terminalText(advice(text, console.errorStyle)));
}

export function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

/** The text of a file; empty if it does not exist. */
async function readIfExists(root: string, path: string): Promise<string> {
  try {
    return (await readRegular(await placeInProject(root, path))).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error instanceof Failure ? error : notWritable(path, error);
  }
}

/** Writes all files or none: stops before the first if another one exists. After a start over, most are there. */
export async function writeNewFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
  const places = new Map<FileToWrite, Place>();
  for (const file of files) {
    const place = await placeInProject(root, file.path);
    const isThere = !file.extendsExisting && (await statsAt(place)) !== undefined;
    if (isThere && (file.path === PROJECT_FILE || !(await holds(place, file.contents))))
      throw alreadyExists(file.path);
    if (!isThere) places.set(file, place);
  }
  for (const [{ path, contents, extendsExisting }, place] of places) {
    try {
      await makeFolder(folderOf(place));
      if (extendsExisting) await writeAtomic(place, contents);
      else if (!(await createWhole(place, contents))) throw alreadyExists(path);
    } catch (error) {
      throw error instanceof Failure ? error : notWritable(path, error);
    }
  }
}

async function holds(place: Place, contents: string | Uint8Array): Promise<boolean> {
  try {
    return (await readRegular(place)).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}

function alreadyExists(path: string): Failure {
  return new Failure(
    "write/exists",
    `${path} already exists, and init does not overwrite files.`,
    "Run it in an empty folder, or move the file away.",
  );
}

function notWritable(path: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${path} cannot be written: ${why}`,
    "Check the folder's permissions and the free space on the disk.",
  );
}
