/**
 * How a command is defined: its module exports its flags and its work as `command`. Also the flags that several commands
 * take, with their checks. all-commands.ts has its name and description.
 */

import type { InferredOptionType, Options } from "yargs";
import { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import { type Only, FilterFault, parseConditions, parseFilters } from "../../model/row-filter.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { SharedLists } from "../../service/connect/reused-answers.ts";
import type { Project } from "../../settings/config.ts";
import { ciVariable } from "../../settings/environment.ts";
import type { Compared } from "../../sync/plan/trusted.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** A flag, or a positional argument: an option of yargs, and what the help adds. */
export interface FlagOption extends Options {
  /** What the help writes for the value, such as FILE. Default: the last word of the name. */
  readonly valueName?: string | undefined;
  /** A word after the command. These words follow in the order of the definitions. */
  readonly isPositional?: true;
}

/** By name, in the order of the help. */
export type FlagOptions = Readonly<Record<string, FlagOption>>;

/** Keeps each literal of the definition, from which the types of the values come. */
export function defineFlags<const Given extends FlagOptions>(given: Given): Given {
  return given;
}

/** The values of flags. */
export type FlagsOf<Given extends FlagOptions> = {
  readonly [Name in keyof Given]: InferredOptionType<Given[Name]>;
};

/** Inputs of a command's work. */
export interface Run<Flags = object> {
  readonly flags: GlobalFlags & Flags;
  readonly shell: Shell;
  readonly console: Console;
  /** The key for the service, from the caller: the Action's input. It overrides every variable. */
  readonly givenKey?: string | undefined;
  /** Lists that projects with the same service and key share. */
  readonly lists?: SharedLists | undefined;
  /** In a job: what the checkout is compared with. */
  readonly compared?: Compared;
}

/** Like `Run`, after reading the project. */
export interface ProjectRun<Flags = object> extends Run<Flags> {
  readonly project: Project;
}

/** Flags of a command that is only known at run time. */
export type AnyFlags = Readonly<Record<string, unknown>>;

/**
 * What takes flags is a method, because the list of all commands holds commands with different flags. Only the parser
 * makes a command's flags, from its own definitions.
 */
export interface Command<Flags = AnyFlags> {
  readonly flags: FlagOptions;
  /** Command lines, after `plancast`, each with its meaning. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  // oxlint-disable-next-line typescript/method-signature-style
  run(run: Run<Flags>): Promise<ExitCode>;
  /**
   * Prints the document of a run that failed before it had a result, in the requested format. stderr has the failure.
   * Default: its problems, if the format is `json`.
   */
  readonly printFailed?: (
    problems: readonly Problem[],
    format: string | undefined,
    console: Console,
  ) => Promise<void>;
  /** With it, the command has the flag --all, and can run for several projects. */
  readonly forAll?: ForAll;
}

/** How a command runs for several projects. */
interface ForAll<Name extends string = string> {
  /** Flags and names that are for one project, and so cannot be combined with --all. */
  readonly single: readonly Name[];
  /** Flags that differ in each project. @param folder of the project, relative to the working folder */
  readonly flagsFor?: (folder: string, flags: AnyFlags) => AnyFlags;
}

/** The flags of a command, with --all if it can run for several projects. */
export function flagsOf({ flags, forAll }: Command): FlagOptions {
  return forAll === undefined ? flags : { ...flags, all: ALL_OPTION };
}

/** Checks that the command's work takes the values of its flags. */
export function defineCommand<const Given extends FlagOptions>(
  given: Omit<Command<FlagsOf<Given>>, "flags" | "forAll"> & {
    readonly flags: Given;
    readonly forAll?: ForAll<keyof Given & string>;
  },
): Command<FlagsOf<Given>> {
  return given;
}

/** Titles of the flags in a command's help. */
export const HELP_GROUPS = { rows: "Rows and media", output: "Output", safety: "Safety" } as const;

/** A flag that takes a text. @param valueName what the help writes for the text, such as FILE */
export function textOption(describe: string, valueName?: string) {
  return { type: "string", requiresArg: true, describe, valueName } as const;
}

/** A flag that names a file to write. */
export function outOption(describe: string) {
  return { ...textOption(describe, "FILE"), group: HELP_GROUPS.output } as const;
}

/** A flag that is a count. */
export function countOption(describe: string) {
  return { ...textOption(describe, "N"), coerce: wholeNumber } as const;
}

/** A flag without a value. Default: false. */
export function switchOption(describe: string) {
  return { type: "boolean", default: false, describe } as const;
}

/** A repeatable flag. It takes one value each time, so that a calendar may follow. */
export function listOption(describe: string, valueName?: string) {
  return { type: "string", array: true, nargs: 1, default: [] as string[], describe, valueName } as const;
}

/** --all. Empty without a folder. */
const ALL_OPTION = {
  type: "string",
  array: true,
  describe: "Run for every project in each FOLDER and below (default: this folder)",
  valueName: "[FOLDER...]",
} as const;

/** Any number of names after the command. */
export function namesPositional(describe: string) {
  return { isPositional: true, type: "string", array: true, default: [] as string[], describe } as const;
}

/** What the command does: one of the words, right after its name. */
export function actionPositional<const Action extends string>(
  choices: readonly Action[],
  describe = "What to do",
) {
  return { isPositional: true, choices, demandOption: true, describe } as const;
}

/** One name after the command, or none. */
export function namePositional(describe: string) {
  return { isPositional: true, type: "string", describe } as const;
}

/** Flags that every command takes. */
export const GLOBAL_FLAGS = defineFlags({
  config: textOption("Use this file instead of the nearest plancast.yaml", "FILE"),
  "api-key-file": textOption("Read the key from FILE, not from PLANCAST_API_KEY"),
  "trust-url": listOption("Trust this address with the key (or URL=VARIABLE)"),
  color: { type: "boolean", describe: "Always use colours; --no-color for none" },
  quiet: switchOption("Show only errors and results"),
  verbose: switchOption("Show each request and the unchanged posts"),
});

export type GlobalFlags = FlagsOf<typeof GLOBAL_FLAGS>;

/** The calendars for a command. @param what it does with them, as a verb */
export function calendarsPositional(what: string) {
  return namesPositional(`Calendars to ${what} (default: all)`);
}

/** Reads a count. Throws a Failure for anything else. */
function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure("usage/arguments", `"${text}" is not a whole number.`, "Write it in digits, such as 12.");
}

/** Reads a port of this machine; 0 means any free port. Throws a Failure for anything else. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port <= 65_535) return port;
  throw new Failure("usage/arguments", `${port} is not a port.`, "Ports go up to 65535.");
}

/** --format. Default: text. */
export function formatOption<const Other extends string>(...others: readonly Other[]) {
  const choices: readonly ("text" | Other)[] = ["text", ...others];
  return {
    choices,
    default: "text" as const,
    requiresArg: true,
    describe: "Output format",
    group: HELP_GROUPS.output,
  };
}

export const FORMAT_OPTION = formatOption("json");

export type FormatFlag = FlagsOf<{ format: typeof FORMAT_OPTION }>;

export const YES_OPTION = {
  alias: ["y", "auto-approve"],
  type: "boolean",
  default: false,
  describe: "Do not ask for confirmation",
  group: HELP_GROUPS.safety,
} as const;

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
  refusal: Refusal = { code: "run/needs-terminal", hint: "Run again with --yes." },
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

/** --only: the rows for a command. */
export type OnlyFlag = FlagsOf<{ only: typeof ONLY_OPTION }>;

/** It takes one value each time, so that a calendar may follow. */
export const ONLY_OPTION = {
  ...listOption(
    "Use only matching rows, such as platform=linkedin, campaign=spring or date=2027-03-01..2027-03-31",
    "NAME=VALUE",
  ),
  group: HELP_GROUPS.rows,
} as const;

/** The parsed filters; undefined without any. Throws a Failure for an invalid filter. */
export function parseOnly(texts: readonly string[]): Only | undefined {
  if (texts.length === 0) return undefined;
  try {
    const only = parseFilters(texts);
    parseConditions(only);
    return only;
  } catch (error) {
    if (error instanceof FilterFault) throw new Failure("usage/arguments", error.message);
    throw error;
  }
}

/** --now: a run as if it were another time. See trial-time.ts. */
export const NOW_OPTION = {
  ...textOption("Run as if it were this time, such as 2036-03-01 or 2036-03-01 09:00", "TIME"),
  group: HELP_GROUPS.rows,
} as const;

/** --only-valid: leaves out rows with errors. */
export type OnlyValidFlag = FlagsOf<{ "only-valid": typeof ONLY_VALID_OPTION }>;

export const ONLY_VALID_OPTION = {
  ...switchOption("Leave out rows with errors; their posts stay as they are"),
  group: HELP_GROUPS.rows,
} as const;

/** --refresh-media: downloads media at web addresses again. */
export type RefreshFlag = FlagsOf<{ "refresh-media": typeof REFRESH_OPTION }>;

export const REFRESH_OPTION = {
  ...switchOption("Download and check media at web addresses again"),
  group: HELP_GROUPS.rows,
} as const;

/** Throws a Failure if an action that takes no names has some. */
export function rejectNames(names: readonly string[], action: string): void {
  if (names.length > 0)
    throw new Failure("usage/arguments", `plancast ${action} takes no names.`, `Run plancast ${action}.`);
}

/** The value of a required flag. Throws a Failure if it is missing, or blank. */
export function requireFlag(
  value: string | undefined,
  action: string,
  flag: string,
  example: string,
): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new Failure(
    "usage/arguments",
    `plancast ${action} needs --${flag}.`,
    `Add for example --${flag} ${example}.`,
  );
}
