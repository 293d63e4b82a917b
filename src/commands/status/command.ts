import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, ONLY_OPTION, calendarsPositional, formatOption } from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { StatusFlags } from "./run.ts";

export const command = defineCommand<StatusFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("show"))
      .option("only", ONLY_OPTION)
      .option("format", formatOption("json", "markdown"))
      .example("$0 status", "Every row that was applied; exits with 1 when one failed")
      .example("$0 status --only date=2027-03", "The rows of a month"),
  run: status,
  printFailed: printProblemsJson,
});

async function status(flags: GlobalFlags & StatusFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { showStatus } = await import("./run.ts");
  return showStatus(await loadProject(flags, shell), flags, shell, console);
}
