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
import type { AutomationsFlags } from "./run.ts";

export const command = defineCommand<AutomationsFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["list", "trigger"] as const,
        demandOption: true,
        describe: "What to do",
      })
      .positional("id", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "The automation to trigger, by its id",
      })
      .option("input", {
        type: "string",
        requiresArg: true,
        describe: "What it works on, such as an address",
      })
      .option("yes", YES_OPTION)
      .option("format", FORMAT_OPTION)
      .example("$0 automations list", "Automations with their ids")
      .example(
        "$0 automations trigger auto_3 --input https://example.com/new",
        "Asks, then triggers it once",
      ),
  run: automations,
  printFailed: printProblemsJson,
});

async function automations(
  flags: GlobalFlags & AutomationsFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { listAutomations, triggerAutomation } = await import("./run.ts");
  if (flags.action === "list") {
    rejectNames(flags.id, "automations list");
    return listAutomations(await loadProject(flags, shell), flags, shell, console);
  }
  const id = requireOneName(flags.id, "automations trigger", "automation");
  return triggerAutomation(await loadProject(flags, shell), id, flags, shell, console);
}
