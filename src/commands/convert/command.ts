import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, formatOption } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { ConvertFlags } from "./run.ts";

export const command = defineCommand<ConvertFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", {
        type: "string",
        demandOption: true,
        describe: "Calendar to convert, of any format that is read",
      })
      .option("to", {
        choices: ["csv", "yaml", "xlsx"] as const,
        requiresArg: true,
        describe: "Format to write; else by the name that --out gives",
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "File to write; CSV and YAML go to stdout without it",
      })
      .option("force", { type: "boolean", default: false, describe: "Replace a file that is there already" })
      .option("format", formatOption("json"))
      .example(
        "$0 convert calendars/march.csv --out calendars/march.xlsx",
        "For people who like spreadsheets",
      )
      .example("$0 convert calendars/march.xlsx --to yaml", "Shows it as YAML"),
  run: convert,
  printFailed: async (problems, format, console) => {
    if (format !== "json") return;
    const { conversionDocument } = await import("../../report/outcomes/calendar-files.ts");
    console.json(conversionDocument(undefined, problems));
  },
});

async function convert(flags: GlobalFlags & ConvertFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { convertFile } = await import("./run.ts");
  const { loadProject } = await import("../shared/project.ts");
  return convertFile(await loadProject(flags, shell), flags, shell, console);
}
