import { command, formatOption, calendarsPositional, type GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { ONLY_OPTION, type OnlyFlag } from "./only-flag.ts";
import { printProblemsJson } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface StatusFlags extends OnlyFlag {
  readonly calendar: string[];
  readonly format: "text" | "json" | "markdown";
}

export const statusCommand = command<StatusFlags>({
  command: "status [calendar..]",
  describe: "Show what became of each row: scheduled, published where, failed and why",
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
  const { loadProject } = await import("./load-project.ts");
  const { showStatus } = await import("./show-status.ts");
  return showStatus(await loadProject(flags, shell), flags, shell, console);
}
