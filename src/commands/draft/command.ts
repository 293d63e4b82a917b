import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import {
  type GlobalFlags,
  FORMAT_OPTION,
  ONLY_OPTION,
  YES_OPTION,
  calendarsPositional,
} from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { DraftFlags } from "./wanted.ts";

export const command = defineCommand<DraftFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("draft"))
      .option("only", ONLY_OPTION)
      .option("again", {
        type: "string",
        array: true,
        describe:
          "Make anew what is there: of the rows named by id or FILE:LINE and no others, or of all drafts",
      })
      .option("dry-run", {
        type: "boolean",
        default: false,
        describe: "Show what would be asked for; ask and write nothing",
      })
      .option("yes", YES_OPTION)
      .option("format", FORMAT_OPTION)
      .example(
        "$0 draft calendars/march.csv",
        "Asks first, then fills in content and media, and marks the rows as drafts",
      )
      .example("$0 draft --again launch", "Another text for the row with the id launch"),
  run: draft,
  printFailed: printProblemsJson,
});

async function draft(flags: GlobalFlags & DraftFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { draftRows } = await import("./run.ts");
  return draftRows(await loadProject(flags, shell), flags, shell, console);
}
