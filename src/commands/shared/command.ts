/** What the module of a command exports as `command`: its flags and its work. Its name and description are in all-commands.ts. */

import type { Argv } from "yargs";
import type { Problem } from "../../model/problem.ts";
import type { Console } from "./console.ts";
import type { GlobalFlags } from "./flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface Command<Flags> {
  readonly flags: (yargs: Argv<GlobalFlags>) => Argv<GlobalFlags & Flags>;
  readonly run: (flags: GlobalFlags & Flags, shell: Shell, console: Console) => Promise<ExitCode>;
  /** Prints, in the format asked for, the document of a run that failed before it had a result. The failure itself is told on stderr. */
  readonly printFailed?: (
    problems: readonly Problem[],
    format: string | undefined,
    console: Console,
  ) => Promise<void>;
}

/** Keeps the flags' type together with the command that reads them. */
export function defineCommand<Flags>(given: Command<Flags>): Command<Flags> {
  return given;
}
