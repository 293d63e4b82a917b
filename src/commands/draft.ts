import { ONLY_OPTION, type OnlyFlag } from "./only-flag.ts";
import { command, calendarsPositional, type GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { FORMAT_OPTION, printProblemsJson, YES_OPTION } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface DraftFlags extends OnlyFlag {
  readonly calendar: string[];
  /** Undefined: not said; without names: all drafts. */
  readonly again: string[] | undefined;
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly format: "text" | "json";
}

export const draftCommand = command<DraftFlags>({
  command: "draft [calendar..]",
  describe: "Have the service write the texts and make the pictures that rows ask for by a prompt",
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
  const { loadProject } = await import("./load-project.ts");
  const { draftRows } = await import("./draft-rows.ts");
  return draftRows(await loadProject(flags, shell), flags, shell, console);
}
