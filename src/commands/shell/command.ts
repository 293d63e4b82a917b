/**
 * The type of a command's module, which exports its flags and its work as `command`. all-commands.ts has its name and
 * description.
 */

import type { Argv } from "yargs";
import { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { SharedLists } from "../../service/connect/shared-lists.ts";
import type { Project } from "../../settings/config.ts";
import { ciVariable } from "../../settings/environment.ts";
import type { Console } from "./console.ts";
import { type GlobalFlags, ALL_OPTION } from "./flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** Inputs of a command's work. */
export interface Run<Flags = object> {
  readonly flags: GlobalFlags & Flags;
  readonly shell: Shell;
  readonly console: Console;
  /** The key for the service, from the caller: the Action's input. It overrides every variable. */
  readonly givenKey?: string | undefined;
  /** Lists that projects with the same service and key share. */
  readonly lists?: SharedLists | undefined;
}

/** Like `Run`, after reading the project. */
export interface ProjectRun<Flags = object> extends Run<Flags> {
  readonly project: Project;
}

export interface Command<Flags> {
  readonly flags: (yargs: Argv<GlobalFlags>) => Argv<GlobalFlags & Flags>;
  readonly run: (run: Run<Flags>) => Promise<ExitCode>;
  /**
   * Prints the document of a run that failed before it had a result, in the requested format. stderr has the failure.
   */
  readonly printFailed?: (
    problems: readonly Problem[],
    format: string | undefined,
    console: Console,
  ) => Promise<void>;
  /** With it, the command has the flag --all, and can run for several projects. */
  readonly forAll?: ForAll<Flags>;
}

/** How a command runs for several projects. */
interface ForAll<Flags> {
  /** Flags and names that are for one project, and so cannot be combined with --all. */
  readonly single: readonly (keyof Flags & string)[];
  /** Flags that differ in each project. @param folder of the project, relative to the working folder */
  readonly flagsFor?: (folder: string, flags: Flags) => Partial<Flags>;
}

/** Defines the flags of a command, with --all if it can run for several projects. */
export function defineFlagsOf<Flags>({ flags, forAll }: Command<Flags>): Command<Flags>["flags"] {
  return forAll === undefined ? flags : (yargs) => flags(yargs).option("all", ALL_OPTION);
}

/** The flags that a function of yargs defines. */
export type FlagsOf<Define> = Define extends (yargs: never) => Argv<infer Flags> ? Flags : never;

/** Keeps the flags' type together with the command that reads them. */
export function defineCommand<Flags>(given: Command<Flags>): Command<Flags> {
  return given;
}

/** The failure if nobody can be asked. */
interface Refusal {
  readonly code: Code;
  readonly hint: string;
}

/**
 * Whether an irreversible action is confirmed: by --yes, or by a person. Throws a Failure if nobody can be asked.
 * `question` is already escaped.
 */
export async function confirmChange(
  question: string,
  { flags, shell, console }: Run<{ readonly yes: boolean }>,
  refusal: Refusal = { code: "run/needs-yes", hint: "Run again with --yes." },
): Promise<boolean> {
  if (flags.yes) return true;
  if (!shell.isInteractive) {
    const variable = ciVariable(shell.env);
    const where = variable === undefined ? "this is not a terminal" : `${variable} is set`;
    const message = `Cannot ask for confirmation: ${where}. Nothing was changed.`;
    throw new Failure(refusal.code, message, refusal.hint);
  }
  const isYes = await shell.confirm(`${question} [y/N] `);
  if (!isYes) console.note(`Nothing was changed.${shell.stop.aborted ? "" : " Only y or yes starts it."}\n`);
  return isYes;
}
