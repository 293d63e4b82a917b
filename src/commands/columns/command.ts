import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, formatOption } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { ColumnsFlags } from "./run.ts";

export const command = defineCommand<ColumnsFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "Calendars to look at; outside of a project, too",
      })
      .option("write", {
        type: "boolean",
        default: false,
        describe: "Put what was found out into the project file",
      })
      .option("format", formatOption("json", "markdown"))
      .example("$0 columns calendars/march.csv", "What each column is taken for, and why")
      .example("$0 columns calendars/march.csv --write", "Keeps that in plancast.yaml, so that it stays so"),
  run: columns,
  printFailed: async (problems, format, console) => {
    if (format !== "json") return;
    const { columnsDocument } = await import("../../report/columns/columns-json.ts");
    console.json(columnsDocument([], undefined, problems));
  },
});

async function columns(flags: GlobalFlags & ColumnsFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { showColumns } = await import("./run.ts");
  return showColumns(flags, shell, console);
}
