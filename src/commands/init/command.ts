/** `plancast init`: writes a project that works at once into the current folder, without replacing any file. */

import { relative, sep } from "node:path";
import type { Argv } from "yargs";
import { createWhole, folderOf, makeFolder, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { findBranch } from "../../disk/find-repository.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import { didYouMean } from "../../model/text.ts";
import { findZone, suggestZone } from "../../model/zone.ts";
import { terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import { VERSION } from "../../version.ts";
import { type FlagsOf, type Run, defineCommand } from "../common/command.ts";
import { type GlobalFlags, textOption } from "../common/flags.ts";
import type { ExitCode, Shell } from "../common/shell.ts";
import { type FileToWrite, filesToWrite, nextSteps } from "./files.ts";

/** The repository whose action.yml is the GitHub Action. */
const ACTION = "plancast/plancast";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .option(
      "timezone",
      textOption("Time zone of the team, such as Europe/Paris (default: this machine's)", "ZONE"),
    )
    .option("template", {
      choices: ["csv", "xlsx"] as const,
      default: "csv" as const,
      requiresArg: true,
      describe: "Format of the sample calendar",
    })
    .example("$0 init", "Write plancast.yaml, a calendar and a workflow")
    .example("$0 init --template xlsx", "The same, with an Excel workbook");

type InitFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<InitFlags>({
  flags: defineFlags,
  run: init,
});

async function init({ flags, shell, console }: Run<InitFlags>): Promise<ExitCode> {
  const { timezone, template } = flags;
  const zone = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (findZone(zone) === undefined) {
    throw new Failure(
      "schedule/unknown-timezone",
      `"${zone}" is not a time zone.${didYouMean(suggestZone(zone))}`,
      "Use a name such as Europe/Paris with --timezone.",
    );
  }
  const repository = await findBranch(shell.cwd);
  const branch = repository?.branch;
  const folder = repository === undefined ? "" : relative(repository.root, shell.cwd).split(sep).join("/");
  const files = filesToWrite({
    today: new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(shell.clock.now()),
    timezone: zone,
    action: `${ACTION}@v${VERSION}`,
    branch,
    folder,
    template,
    gitignore: await readIfExists(shell.cwd, ".gitignore"),
  });
  await writeNewFiles(shell.cwd, files);
  for (const { path } of files) console.note(`wrote ${path}\n`);
  if (timezone === undefined)
    console.note(terminalText(advice(machineZoneNote(zone, shell), console.errorStyle)));
  for (const step of nextSteps({ branch, folder }))
    console.note(terminalText(advice(step, console.errorStyle)));
  return 0;
}

function machineZoneNote(zone: string, { env }: Shell): string {
  const from = env["TZ"] ? "the variable TZ" : "this machine's settings";
  return `Times are in ${zone}, the time zone from ${from}. If your team uses another one, change timezone in plancast.yaml.`;
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

/** Writes all files or none: stops before the first if one exists. */
async function writeNewFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
  const places = new Map<FileToWrite, Place>();
  for (const file of files) {
    const place = await placeInProject(root, file.path);
    if (!file.extendsExisting && (await statsAt(place)) !== undefined) throw alreadyExists(file.path);
    places.set(file, place);
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

function alreadyExists(path: string): Failure {
  return new Failure(
    "project/exists",
    `${path} already exists, and init overwrites nothing.`,
    "Run it in an empty folder, or move the file away.",
  );
}

function notWritable(path: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${path} cannot be written: ${why}`,
    "Check the folder's permissions.",
  );
}
