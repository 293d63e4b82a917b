/**
 * `plancast init --all`: a project in each folder, one file with the settings that they share, and one workflow. At the
 * end, it lists everything that GitHub needs, once.
 */

import { dirname, join, relative, resolve, sep } from "node:path";
import { findProjects } from "../../calendars/find-projects.ts";
import { PROJECT_FILE, readProject } from "../../calendars/project.ts";
import { createWhole } from "../../disk/files.ts";
import { findBranch, findRepository } from "../../disk/git.ts";
import { readdir, stat } from "../../disk/machine.ts";
import { placeInProject } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import { readSecret } from "../../problems/connection-texts.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import type { Run } from "../shell/command.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { actionReference } from "./action-reference.ts";
import { furtherProject, updateSharedWorkflow } from "./several-projects.ts";
import { publishedBranch } from "./workflows.ts";
import { type InitRun, nameIn } from "./write-project.ts";

/** The shared settings, in the root of the repository. */
const SHARED_FILE = "agency.yaml";

interface AllFlags {
  readonly path: string[];
  readonly timezone: string | undefined;
  readonly publish: boolean;
}

/** @param all folders: of the projects, or one folder with them @param initOne starts one project */
export async function initAll<Flags extends AllFlags>(
  run: Run<Flags>,
  all: readonly string[],
  initOne: (run: InitRun<Flags>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { flags, shell, console } = run;
  if (flags.path.length > 0 || flags.publish)
    throw new Failure(
      "usage/arguments",
      `You cannot combine --all and ${flags.publish ? "--publish" : "a calendar"}.`,
      "Name only the folders of the clients after --all.",
    );
  const repository = (await findRepository(shell.cwd))?.root;
  if (repository === undefined)
    throw new Failure(
      "usage/arguments",
      "This folder is not in a git repository, so the projects could not share a workflow.",
      "Run `git init` in the folder that has all clients, then run it again.",
    );
  const folders = await newFolders(all, run);
  const sharedFile = await writeShared(repository, run);
  const failed: string[] = [];
  for (const folder of folders) {
    const name = nameIn(shell.cwd, folder) || ".";
    console.note(`\n${escapeTerminal(name)}\n`);
    try {
      const code = await initOne({ ...run, flags: { ...flags, all: undefined, path: [folder] }, sharedFile });
      if (code === 130) return code;
      if (code !== 0) failed.push(name);
    } catch (error) {
      if (shell.stop.aborted) throw error;
      reportError(error, console);
      failed.push(name);
    }
  }
  await showSettings(repository, run);
  if (failed.length > 0)
    say(`Not finished: ${failed.join(", ")}. Correct these, then run the command again for them.`, run);
  return failed.length > 0 ? 1 : 0;
}

/** The folders without a project. If there is only one, the folders in it count. */
async function newFolders(all: readonly string[], { shell, console }: Run): Promise<readonly string[]> {
  const named = await foldersAmong(all.map((name) => resolve(shell.cwd, name)));
  const [only] = named;
  const inside = named.length === 1 && only !== undefined ? await foldersIn(only) : [];
  const folders = inside.length > 0 ? inside : named;
  const known = new Set((await findProjects(shell.cwd)).map((file) => dirname(file)));
  for (const each of folders.filter((folder) => known.has(folder)))
    console.note(`${escapeTerminal(nameIn(shell.cwd, each))} already has a plancast.yaml.\n`);
  const found = folders.filter((folder) => !known.has(folder));
  if (found.length > 0) return found;
  throw new Failure(
    "usage/arguments",
    "There is no folder that needs a project.",
    "Name the folders of the clients after --all, such as clients/*.",
  );
}

/** A shell that expands `clients/*` also names files. */
async function foldersAmong(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined)
      throw new Failure("usage/arguments", `${path} does not exist.`, "Name existing folders after --all.");
    if (stats.isDirectory()) found.push(path);
  }
  return found;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "calendars")
    .map((entry) => join(folder, entry.name))
    .sort();
}

/** Writes the shared settings, unless there are some. Returns their path. */
async function writeShared(repository: string, run: Run<AllFlags>): Promise<string> {
  const zone = run.flags.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const text = `# Settings of all clients. Each plancast.yaml extends this file, and has priority.
service:
  # To publish, replace \`embedded\` with the address of your service, such as https://api.example.com/v1.
  url: embedded
timezone: ${zone}
# Your names for platforms, each with the service's name.
platforms: { x: twitter }
`;
  const place = await placeInProject(repository, SHARED_FILE);
  if (await createWhole(place, text)) run.console.note(`wrote ${SHARED_FILE}\n`);
  return place.path;
}

/** One workflow for all projects, and what GitHub needs for them. */
async function showSettings(repository: string, run: Run<AllFlags>): Promise<void> {
  const files = await findProjects(repository);
  const [last] = files.map((file) => dirname(file)).slice(-1);
  const further =
    last === undefined ? undefined : await furtherProject(last, true, join(repository, SHARED_FILE));
  if (last === undefined || further === undefined) return;
  const own = await ownVariable(last, further);
  const folder = relative(repository, last).split(sep).join("/");
  const { branch } = (await findBranch(repository)) ?? {};
  const shared = await updateSharedWorkflow({
    repository,
    action: await actionReference(),
    branch: publishedBranch(branch),
    added: { folder, variable: own },
    others: further.others,
  });
  const variables = [...new Set([...further.others.map(({ variable }) => variable), own])].sort();
  if (shared.kind === "by-hand") {
    say(`Change two steps in ${shared.path}:`, run);
    for (const line of shared.lines) run.console.note(`    ${escapeTerminal(line)}\n`);
  } else say(`${shared.path} plans and applies all projects.`, run);
  say(
    "On GitHub, open Settings, Secrets and variables, Actions. Add these, or paste the lines into a terminal with GitHub's command gh:",
    run,
  );
  const origins = variables.map((variable) => `https://YOUR-SERVICE/v1=${variable}`).join(",");
  const lines = [
    ...variables.map((variable) => `gh secret set ${variable} --env publish`),
    ...variables.map((variable) => `gh secret set ${readSecret(variable)}`),
    `gh variable set PLANCAST_TRUSTED_ORIGINS --body "${origins}"`,
  ];
  // Never wrapped, because people copy them.
  for (const line of lines) run.console.note(`    ${line}\n`);
  say("The secrets with READ in their names are keys that can only read, for plans.", run);
  say("Next: plancast plan --all", run);
}

async function ownVariable(
  folder: string,
  { keyVariable }: { readonly keyVariable: string },
): Promise<string> {
  const { config } = await readProject(join(folder, PROJECT_FILE));
  return config.service.key_env ?? keyVariable;
}

function say(text: string, { console }: Run): void {
  console.note(terminalText(paragraph(text, console.errorStyle)));
}
