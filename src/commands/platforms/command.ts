import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import {
  type GlobalFlags,
  FORMAT_OPTION,
  NO_NAMES,
  YES_OPTION,
  rejectNames,
  requireOneName,
} from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { PlatformsFlags } from "./run.ts";

export const command = defineCommand<PlatformsFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["list", "disconnect"] as const,
        demandOption: true,
        describe: "What to do",
      })
      .positional("id", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "The account to disconnect, by its id",
      })
      .option("yes", YES_OPTION)
      .option("format", FORMAT_OPTION)
      .example("$0 platforms list", "Accounts with their ids")
      .example("$0 platforms disconnect acc_3", "Shows the account, asks, then disconnects it"),
  run: platforms,
  printFailed: printProblemsJson,
});

async function platforms(
  flags: GlobalFlags & PlatformsFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  if (flags.action === "list") {
    rejectNames(flags.id, "platforms list");
    const { listPlatforms } = await import("./run.ts");
    return listPlatforms(await loadProject(flags, shell), flags, shell, console);
  }
  const id = requireOneName(flags.id, "platforms disconnect", "account");
  const { disconnectPlatform } = await import("./run.ts");
  return disconnectPlatform(await loadProject(flags, shell), id, flags, shell, console);
}
