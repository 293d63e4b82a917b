/** What a command module is: its flags, and its work. The work loads what is heavy itself, when it runs. */

import type { Argv } from "yargs";
import type { Problem } from "../../model/problem.ts";
import type { Console } from "./console.ts";
import type { GlobalFlags } from "./flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface Command<Flags> {
  /** The words after `plancast`, in yargs' form. */
  readonly command: string;
  readonly describe: string;
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
export function command<Flags>(given: Command<Flags>): Command<Flags> {
  return given;
}

/** @param words those of a command in yargs' form, such as `plan [calendar..]`  @returns its name */
export function nameOf(words: string): string {
  return words.split(" ")[0] ?? words;
}
