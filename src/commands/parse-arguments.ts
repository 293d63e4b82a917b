/**
 * From the arguments to a command and the values of its flags. yargs parses them. The checks are here, because an error
 * must name what is wrong, suggest what is meant, and say what is possible.
 */

import yargs, { type Options } from "yargs";
import { Failure } from "../model/failure.ts";
import { didYouMean, isBlank, nearest } from "../model/text.ts";
import type { Flag } from "../report/reference/help.ts";
import { COMMANDS } from "./all-commands.ts";
import {
  type AnyFlags,
  type Command,
  type FlagOption,
  type FlagOptions,
  type GlobalFlags,
  GLOBAL_FLAGS,
  flagsOf,
} from "./shell/command.ts";
import { type Usage, commonFlags, isNamed, namedCommand, usageOf, commandWords } from "./usage.ts";

interface ParsedCommand {
  readonly command: Command;
  readonly flags: GlobalFlags & AnyFlags;
}

/** The command that the arguments name, with its flags. Throws a Failure, with a suggestion if possible. */
export async function parseArguments(args: readonly string[]): Promise<ParsedCommand> {
  const named = namedCommand(args);
  if (named === undefined) throw unknownCommand(args);
  const { name } = named;
  const command = await named.load();
  const options = { ...flagsOf(command), ...GLOBAL_FLAGS };
  const usage = usageOf(command);
  const line = `plancast ${name}`;
  const early = flagBefore(name, args);
  if (early !== undefined) throw failure(earlyFlag(line, early, usage), `${line} --help`);
  const parsed = parse(args, options);
  if (parsed === undefined) throw failure(missingValue(args, usage), `${line} --help`);
  const given = { ...parsed, words: parsed.words.slice(1) };
  const fault = faultOf(given, line, args, usage);
  if (fault !== undefined) throw failure(fault, `${line} --help`);
  return { command, flags: valuesOf(given, options) };
}

/**
 * A flag before the command that not every command has. Whether the word after it is its value depends on the command, so
 * plancast does not guess.
 */
function flagBefore(command: string, args: readonly string[]): string | undefined {
  const common = commonFlags();
  return args
    .slice(0, args.indexOf(command))
    .find(
      (arg) =>
        arg.startsWith("-") && !common.some((flag) => isNamed(flag, arg) || flag.name === flagName(arg)),
    );
}

function earlyFlag(line: string, written: string, { flags }: Usage): string {
  return flags.some((flag) => isNamed(flag, written) || flag.name === flagName(written))
    ? `Write \`${written}\` after the command: \`${line} ${written}\`.`
    : unknownFlag(line, written, flags);
}

/** What the arguments contain, before any check. */
interface Given {
  readonly words: readonly string[];
  /** By name, or by the alias or the unknown name that the arguments have. */
  readonly flags: ReadonlyMap<string, unknown>;
}

/** Undefined if a flag lacks its value: yargs rejects nothing else. */
function parse(args: readonly string[], options: FlagOptions): Given | undefined {
  const parser = yargs()
    .options(Object.fromEntries(Object.entries(options).flatMap(toYargs)))
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "strip-aliased": true,
    })
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail(false);
  try {
    const { _: words, $0: _program, ...flags } = parser.parseSync(args);
    return { words: words.map(String), flags: new Map(Object.entries(flags)) };
  } catch (error) {
    if (error instanceof Error && error.name === "YError") return undefined;
    throw error;
  }
}

/** What yargs needs to parse a flag. */
function toYargs([name, option]: [string, FlagOption]): [string, Options][] {
  const { isPositional, type, alias, array, nargs, requiresArg } = option;
  if (isPositional === true) return [];
  return [[name, { type: type ?? "string", alias, array, nargs, requiresArg }]];
}

/** The action comes first, because all other arguments depend on it. */
function faultOf(given: Given, line: string, args: readonly string[], usage: Usage): string | undefined {
  const { flags, words } = usage;
  return (
    words
      .map((word, index) => invalidChoice(word, given.words[index], `<${word.name}>`))
      .find((fault) => fault !== undefined) ??
    unknownFlagIn(given, line, args, flags) ??
    superfluousWord(given, line, words) ??
    repeatedFlag(given, flags) ??
    missingWord(given, line, words) ??
    flags
      .map((flag) => invalidChoice(flag, given.flags.get(flag.name), `\`--${flag.name}\``))
      .find((fault) => fault !== undefined)
  );
}

function unknownFlagIn(
  given: Given,
  line: string,
  args: readonly string[],
  flags: readonly Flag[],
): string | undefined {
  const name = [...given.flags.keys()].find((each) => {
    const known = flags.find((flag) => flag.name === each);
    // yargs reads `--no-out` as false.
    return known === undefined || (!known.isSwitch && given.flags.get(each) === false);
  });
  if (name === undefined) return undefined;
  const written = args.find((arg) => arg.startsWith("-") && flagName(arg) === name) ?? `-${name}`;
  return unknownFlag(line, written, flags);
}

function superfluousWord(given: Given, line: string, words: readonly Flag[]): string | undefined {
  const word = words.some(({ isList }) => isList) ? undefined : given.words[words.length];
  return word === undefined ? undefined : `\`${line}\` does not need \`${word}\`.`;
}

/** It is unclear which value counts. */
function repeatedFlag(given: Given, flags: readonly Flag[]): string | undefined {
  const repeated = flags.find(({ name, isList }) => !isList && Array.isArray(given.flags.get(name)));
  return repeated === undefined ? undefined : `\`--${repeated.name}\` is given more than once.`;
}

function missingWord(given: Given, line: string, words: readonly Flag[]): string | undefined {
  const word = words[given.words.length];
  if (word?.isRequired !== true) return undefined;
  const choices = word.choices.length === 0 ? "" : ` Choose one of ${word.choices.join(", ")}.`;
  return `\`${line}\` needs <${word.name}>.${choices}`;
}

function missingValue(args: readonly string[], { flags }: Usage): string {
  const isMissing = (arg: string, index: number): boolean =>
    /^(?:-\D|$)/.test(args[index + 1] ?? "") && flags.some((flag) => flag.needsValue && isNamed(flag, arg));
  return `\`${args.find(isMissing) ?? "a flag"}\` needs a value.`;
}

function invalidChoice({ choices }: Flag, value: unknown, name: string): string | undefined {
  if (typeof value !== "string" || choices.length === 0 || choices.includes(value)) return undefined;
  const meant = didYouMean(nearest(value, choices));
  const all =
    choices.length === 1 ? `The only choice is ${choices.join("")}.` : `Choose one of ${choices.join(", ")}.`;
  return `${name} cannot be \`${value}\`.${meant} ${all}`;
}

/** The values of all flags and words, each with its default. Throws a Failure for one that is not in the right form. */
function valuesOf({ words, flags }: Given, options: FlagOptions): GlobalFlags & AnyFlags {
  const names = Object.keys(options).filter((name) => options[name]?.isPositional === true);
  const valueOf = (name: string, { isPositional, array, coerce, default: usual }: FlagOption): unknown => {
    const index = names.indexOf(name);
    const written = array === true ? words.slice(index) : words[index];
    const value: unknown = isPositional === true ? written : flags.get(name);
    const given = value === undefined || (isPositional && array && words.length <= index) ? usual : value;
    return given === undefined || coerce === undefined ? given : coerce(given);
  };
  // The types of these values come from the same definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, valueOf(name, option)]),
  ) as unknown as GlobalFlags & AnyFlags;
}

function failure(message: string, help: string): Failure {
  return new Failure("usage/arguments", message, `Run \`${help}\` for help.`);
}

const TO_SCHEDULE = "To schedule the posts of your calendars, run `plancast apply`.";
const TO_CANCEL = "To cancel a post, delete its row and run `plancast apply`.";

/** Words that people expect as commands, each with what does the task here. */
const COMMANDS_BY_TASK: ReadonlyMap<string, string> = new Map([
  ["schedule", TO_SCHEDULE],
  ["push", TO_SCHEDULE],
  ["list", "To list the posts on the service, run `plancast posts list`."],
  ["import", "To write a calendar from the posts on the service, run `plancast pull`."],
  ["delete", TO_CANCEL],
  ["remove", TO_CANCEL],
  ["cancel", TO_CANCEL],
]);

export function unknownCommand(args: readonly string[]): Failure {
  const [word] = commandWords(args);
  if (word === undefined || isBlank(word)) return failure(missingCommand(args), "plancast --help");
  const other = COMMANDS_BY_TASK.get(word.toLowerCase());
  if (other !== undefined) return failure(`There is no command \`${word}\`. ${other}`, "plancast --help");
  const names = ["help", ...COMMANDS.map(({ name }) => name)];
  return failure(`There is no command \`${word}\`.${didYouMean(nearest(word, names))}`, "plancast --help");
}

function missingCommand(args: readonly string[]): string {
  const flags = commonFlags();
  const known = new Set(flags.flatMap(({ name, aliases }) => [name, ...aliases]));
  const wrong = args.find((arg) => arg.startsWith("-") && !known.has(flagName(arg)));
  return wrong === undefined ? "Name a command." : unknownFlag("plancast", wrong, flags);
}

function unknownFlag(line: string, written: string, flags: readonly Flag[]): string {
  const near = nearest(
    flagName(written),
    flags.flatMap((each) => [each.name, ...each.aliases]).filter((each) => each.length > 1),
  );
  const isSwitch = flags.some((each) => each.isSwitch && each.name === near);
  const no = isSwitch && written.startsWith("--no-") ? "no-" : "";
  const meant = didYouMean(near === undefined ? undefined : `--${no}${near}`);
  return `\`${line}\` has no flag \`${written.replace(/=.*/s, "")}\`.${meant}`;
}

function flagName(written: string): string {
  return written.replace(/^--?(no-)?/, "").replace(/=.*/s, "");
}
