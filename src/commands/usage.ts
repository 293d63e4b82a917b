/** The flags and arguments of a command as data for its help, for completion, and for suggestions in errors. */

import type { DocumentedCommand, Flag } from "../report/reference/help.ts";
import { type RegisteredCommand, COMMANDS } from "./all-commands.ts";
import { type Command, type FlagOption, type FlagOptions, GLOBAL_FLAGS, flagsOf } from "./shell/command.ts";

export interface Usage {
  readonly flags: readonly Flag[];
  /** The positional arguments, in their order. */
  readonly words: readonly Flag[];
}

/** Flags of every command that show something instead of running it. */
const SHOWING_FLAGS: FlagOptions = {
  help: { type: "boolean", alias: "h", describe: "Show this help" },
  version: { type: "boolean", alias: "v", describe: "Show the version" },
};

/** The flags of every command that change how it runs. */
export function globalFlags(): readonly Flag[] {
  return flagsIn(GLOBAL_FLAGS);
}

/** The flags of every command, including `--help`. */
export function commonFlags(): readonly Flag[] {
  return [...globalFlags(), ...flagsIn(SHOWING_FLAGS)];
}

/** The arguments of a command, including the flags of every command. */
export function usageOf(command: Command): Usage {
  return { flags: [...flagsIn(flagsOf(command)), ...commonFlags()], words: wordsIn(command.flags) };
}

/** A command with everything for its help and its reference. */
export async function documented({ name, describe, load }: RegisteredCommand): Promise<DocumentedCommand> {
  const command = await load();
  const positionals = wordsIn(command.flags);
  return {
    name,
    usage: ["plancast", name, ...positionals.map(wordUsage)].join(" "),
    describe,
    positionals,
    options: flagsIn(flagsOf(command)),
    examples: command.examples.map(([line, meaning]) => ({ command: `plancast ${line}`, meaning })),
  };
}

/** `<action>`, or `[calendar...]`. */
function wordUsage({ name, isList, isRequired }: Flag): string {
  const words = isList ? `${name}...` : name;
  return isRequired ? `<${words}>` : `[${words}]`;
}

function flagsIn(options: FlagOptions): readonly Flag[] {
  return Object.entries(options).flatMap(([name, option]) =>
    option.isPositional === true ? [] : [flag(name, option)],
  );
}

function wordsIn(options: FlagOptions): readonly Flag[] {
  return Object.entries(options).flatMap(([name, option]) =>
    option.isPositional === true ? [flag(name, option)] : [],
  );
}

function flag(name: string, given: FlagOption): Flag {
  const { type, describe, alias = [], choices = [], array, default: usual, group, valueName } = given;
  return {
    name,
    describe: typeof describe === "string" ? describe : "",
    aliases: typeof alias === "string" ? [alias] : alias,
    choices: choices.map(String),
    group: group ?? "Options",
    valueName: valueName ?? name.slice(name.lastIndexOf("-") + 1).toUpperCase(),
    isSwitch: type === "boolean",
    isList: array === true,
    isRequired: given.demandOption === true,
    needsValue: given.requiresArg === true || given.nargs === 1,
    usual: typeof usual === "string" || typeof usual === "number" ? String(usual) : undefined,
  };
}

/** Whether this argument names the flag. */
export function isNamed({ name, aliases }: Flag, word: string | undefined): boolean {
  return [name, ...aliases].some((each) => word === (each.length === 1 ? `-${each}` : `--${each}`));
}

/** The words of the arguments: no flags, and no values of flags that every command takes. */
export function commandWords(args: readonly string[]): readonly string[] {
  const valued = commonFlags().filter(({ isSwitch }) => !isSwitch);
  return args.filter(
    (arg, index) => !arg.startsWith("-") && !valued.some((each) => isNamed(each, args[index - 1])),
  );
}

/** The command that the arguments name as their first word. Only flags of every command can be before it. */
export function namedCommand(args: readonly string[]): RegisteredCommand | undefined {
  const [word] = commandWords(args);
  return COMMANDS.find(({ name }) => name === word);
}

/** The arguments after `help`, or with `--help`; undefined if they ask for something else. After `--`, all are names. */
export function helpTopic(args: readonly string[]): readonly string[] | undefined {
  const before = beforeNames(args);
  const [word, ...others] = commandWords(before);
  if (word === "help") return others;
  return args.length === 0 || before.includes("--help") || before.includes("-h")
    ? commandWords(before)
    : undefined;
}

/** Whether the arguments ask for the version. */
export function asksForVersion(args: readonly string[]): boolean {
  return ["--version", "-v"].some((each) => beforeNames(args).includes(each));
}

function beforeNames(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}
