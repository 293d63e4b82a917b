import { command, NO_NAMES, type GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { FORMAT_OPTION, rejectNames, requireOneName, printProblemsJson, YES_OPTION } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface PlatformsFlags {
  readonly action: "list" | "disconnect";
  readonly id: string[];
  readonly yes: boolean;
  readonly format: "text" | "json";
}

export const platformsCommand = command<PlatformsFlags>({
  command: "platforms <action> [id..]",
  describe: "List the accounts that the service is connected to, or disconnect one",
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
  const { loadProject } = await import("./load-project.ts");
  if (flags.action === "list") {
    rejectNames(flags.id, "platforms list");
    const { listPlatforms } = await import("./connected-platforms.ts");
    return listPlatforms(await loadProject(flags, shell), flags, shell, console);
  }
  const id = requireOneName(flags.id, "platforms disconnect", "account");
  const { disconnectPlatform } = await import("./connected-platforms.ts");
  return disconnectPlatform(await loadProject(flags, shell), id, flags, shell, console);
}
