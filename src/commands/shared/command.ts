/** What a command module is: its flags, and its work. The work loads what is heavy itself, when it runs. */

import type { Argv } from "yargs";
import { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** The default of a list of names: none given. */
export const NO_NAMES: string[] = [];

/** The calendars that a command is about, in yargs' form. @param what it does with them, as a verb */
export function calendarsPositional(what: string) {
  return {
    type: "string",
    array: true,
    default: NO_NAMES,
    describe: `Calendars to ${what}; all if none`,
  } as const;
}

/** Reads a flag that is a count. Throws a Failure for anything else. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure("usage/arguments", `"${text}" is not a whole number.`, "Write it in digits, such as 12.");
}

/** Reads a flag that is a port of this machine; 0 is any that is free. Throws a Failure for anything else. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port <= 65_535) return port;
  throw new Failure("usage/arguments", `There is no port ${port}.`, "Ports go up to 65535.");
}

/** --format, in yargs' form: text unless one of the others is asked for. */
export function formatOption<const Other extends string>(...others: readonly Other[]) {
  const choices: readonly ("text" | Other)[] = ["text", ...others];
  return { choices, default: "text" as const, requiresArg: true, describe: "Output form" };
}

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly config: string | undefined;
  readonly "api-key-file": string | undefined;
  readonly color: boolean | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

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

export function globalFlags(yargs: Argv): Argv<GlobalFlags> {
  return yargs
    .option("config", {
      type: "string",
      requiresArg: true,
      describe: "Project file, instead of the nearest plancast.yaml",
    })
    .option("api-key-file", {
      type: "string",
      requiresArg: true,
      describe: "File that holds the key, instead of PLANCAST_API_KEY",
    })
    .option("color", {
      type: "boolean",
      describe: "Colours in any case; --no-color for none",
    })
    .option("quiet", { type: "boolean", default: false, describe: "Errors and results only" })
    .option("verbose", {
      type: "boolean",
      default: false,
      describe: "Each request, and what is left unchanged",
    });
}
