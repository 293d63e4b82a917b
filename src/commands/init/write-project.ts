/** Writes a new project, and shows how to go on. */

import { join, relative, sep } from "node:path";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import { findBranch, hasGithubRemote } from "../../disk/git.ts";
import { Failure } from "../../model/failure.ts";
import { didYouMean, shellArgument } from "../../model/text.ts";
import { BEFORE_MERGE_DRIVER, machineZoneText } from "../../report/init/notes.ts";
import { sharedWorkflowText } from "../../report/init/shared-workflow.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import { VERSION } from "../../version.ts";
import type { Run } from "../shell/command.ts";
import { type FurtherProject, type InitOptions, MERGE_DRIVER, filesToWrite, nextSteps } from "./files.ts";
import type { InitFlags } from "./flags.ts";
import { readIfExists, writeNewFiles } from "./new-files.ts";
import { updateSharedWorkflow } from "./shared-workflow.ts";
import { publishedBranch, readSecret } from "./workflows.ts";

/** The repository whose action.yml is the GitHub Action. */
const ACTION = "plancast/plancast";

/** A project to start. */
interface NewProject extends Pick<InitOptions, "timezone" | "calendar" | "further"> {
  /** Absolute path of its folder. */
  readonly root: string;
}

export async function writeProject(
  { root, timezone, calendar, further }: NewProject,
  { flags, shell, console }: Run<InitFlags>,
): Promise<void> {
  const { branch, folder } = await positionOf(root);
  const files = filesToWrite({
    today: new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(shell.clock.now()),
    timezone,
    action: `${ACTION}@v${VERSION}`,
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
  for (const { path } of files) console.note(`wrote ${shown === "" ? path : join(shown, path)}\n`);
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
  { root, further }: Pick<NewProject, "root" | "further">,
  run: Run<InitFlags>,
  hasTeamPage: boolean,
): Promise<void> {
  const folder = nameIn(run.shell.cwd, root);
  if (folder !== "") note(`Next: cd ${shellArgument(folder)}`, run);
  const position = await positionOf(root);
  const isOnGithub = await hasGithubRemote(root);
  const started = { ...position, further, publishes: run.flags.publish, isOnGithub, hasTeamPage };
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
  run: Run<InitFlags>,
): Promise<void> {
  const target = { repository, action: `${ACTION}@v${VERSION}`, branch: publishedBranch(branch) };
  const shared = await updateSharedWorkflow({ ...target, added: { folder, variable }, others });
  const { notes, before } = sharedWorkflowText(shared, { variable, secret: readSecret(variable) });
  for (const each of notes) note(each, run);
  if (shared.kind !== "by-hand") return;
  note(before, run);
  // Never wrapped, because people copy them.
  for (const line of shared.lines) run.console.note(`    ${escapeTerminal(line)}\n`);
}

export function note(text: string, { console }: Run<InitFlags>): void {
  console.note(terminalText(advice(text, console.errorStyle)));
}

export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function noteMachineZone(zone: string, run: Run<InitFlags>): void {
  note(machineZoneText(zone, (run.shell.env["TZ"] ?? "") !== ""), run);
}

/** Throws a Failure for a zone that nobody knows. */
export function checkedZone(zone: string): string {
  if (findZone(zone) !== undefined) return zone;
  throw new Failure(
    "schedule/unknown-timezone",
    `"${zone}" is not a time zone.${didYouMean(suggestZone(zone))}`,
    "Use a name such as Europe/Paris with --timezone.",
  );
}

export function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
