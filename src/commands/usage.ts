/** The arguments of a command, as data: for help, completion, the reference pages, and suggestions in errors. */

import type { Argv, Options } from "yargs";
import { Failure } from "../model/failure.ts";
import { didYouMean, isBlank, nearest } from "../model/text.ts";
import type { DocumentedCommand, Flag } from "../report/reference/help.ts";
import { type RegisteredCommand, COMMANDS } from "./all-commands.ts";
import { type Command, type GlobalFlags, defineFlagsOf, globalFlags } from "./shell/command.ts";

export interface Usage {
  readonly flags: readonly Flag[];
  /** The positional arguments, in their order. */
  readonly words: readonly Flag[];
  /** Command lines, starting with `$0`, each with its meaning. */
  readonly examples: readonly (readonly [string, string])[];
}

/** An option of yargs, and two texts of the help. */
interface DescribedOption extends Options {
  readonly valueName?: string;
  readonly group?: string;
}

/** The flags of every command, including `--help`. */
export function commonFlags(): readonly Flag[] {
  return [
    ...definedBy(globalFlags).flags,
    flag("help", { type: "boolean", alias: "h", describe: "Show this help" }),
    flag("version", { type: "boolean", alias: "v", describe: "Show the version" }),
  ];
}

/** The arguments of a command, including the flags of every command. */
export function usageOf<Flags>(given: Command<Flags>): Usage {
  const usage = definedBy(defineFlagsOf(given));
  return { ...usage, flags: [...usage.flags, ...commonFlags()] };
}

/** A command with everything for its help and its reference. */
export async function documented({
  name,
  words,
  describe,
  use,
}: RegisteredCommand): Promise<DocumentedCommand> {
  const defined = await use((loaded) => definedBy(defineFlagsOf(loaded)));
  return {
    name,
    usage: `plancast ${words.replaceAll("..", "...")}`,
    describe,
    positionals: defined.words,
    options: defined.flags,
    examples: defined.examples.map(([line, meaning]) => ({
      command: line.replace("$0", "plancast"),
      meaning,
    })),
  };
}

/** Records the calls with which a function defines flags for yargs. */
export function definedBy(define: (yargs: Argv<GlobalFlags>) => unknown): Usage {
  const { parser, calls } = recorder();
  define(parser);
  return {
    flags: calls.flatMap(flagsFrom("option")),
    words: calls.flatMap(flagsFrom("positional")),
    examples: calls.flatMap(({ method, name, more }) =>
      method === "example" && typeof more === "string" ? [[name, more] as const] : [],
    ),
  };
}

/** A call of the parser. */
interface Call {
  readonly method: string;
  /** Name of a flag, or an example's command line. */
  readonly name: string;
  /** The definition of a flag, or an example's meaning. */
  readonly more: DescribedOption | string;
}

/** A parser that only records its calls. */
function recorder(): { readonly parser: Argv<GlobalFlags>; readonly calls: readonly Call[] } {
  const calls: Call[] = [];
  const record = (method: string) => (name: string, more: DescribedOption | string) => {
    calls.push({ method, name, more });
    return parser;
  };
  // It imitates yargs without implementing any of it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const parser = new Proxy({}, { get: (_target, method) => record(String(method)) }) as Argv<GlobalFlags>;
  return { parser, calls };
}

function flagsFrom(wanted: "option" | "positional"): (call: Call) => Flag[] {
  return ({ method, name, more }) =>
    method === wanted && typeof more !== "string" ? [flag(name, more)] : [];
}

function flag(name: string, given: DescribedOption): Flag {
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
    usual: typeof usual === "string" || typeof usual === "number" ? String(usual) : undefined,
  };
}

/**
 * The failure for invalid arguments, with a suggestion.
 * @param message from yargs
 * @param args all arguments
 */
export async function usageFailure(message: string, args: readonly string[]): Promise<Failure> {
  const command = namedCommand(args);
  if (command === undefined) return unknownCommand(args);
  const usage = await command.use(usageOf);
  const said =
    invalidAction(command, usage, args) ??
    unknownArgument(message, command, usage, args) ??
    invalidValue(message, usage) ??
    missingArgument(message, command, usage) ??
    sentence(message);
  return failure(said, `plancast ${command.name} --help`);
}

/** Throws a Failure if a flag for one value was given several times, because it is unclear which one counts. */
export function rejectRepeatedFlags(parsed: object, command: string, { flags }: Usage): void {
  const given = new Map(Object.entries(parsed));
  const repeated = flags.find(({ name, isList }) => !isList && Array.isArray(given.get(name)));
  if (repeated === undefined) return;
  throw failure(`\`--${repeated.name}\` is given more than once.`, `plancast ${command} --help`);
}

function failure(message: string, help: string): Failure {
  return new Failure("usage/arguments", message, `Run \`${help}\` for help.`);
}

/** The words of the arguments: no flags, and no values of flags that every command takes. */
function wordsOf(args: readonly string[]): readonly string[] {
  const valued = commonFlags().flatMap(({ name, isSwitch }) => (isSwitch ? [] : `--${name}`));
  return args.filter((arg, index) => !arg.startsWith("-") && !valued.includes(args[index - 1] ?? ""));
}

/** The command that the arguments name: the first word, or the first name after an unknown flag and its value. */
export function namedCommand(args: readonly string[]): RegisteredCommand | undefined {
  const [word] = wordsOf(args);
  return COMMANDS.find(({ name }) => name === word) ?? COMMANDS.find(({ name }) => args.includes(name));
}

/** The arguments after `help`, or with `--help`; undefined if they ask for something else. After `--`, all are names. */
export function helpTopic(args: readonly string[]): readonly string[] | undefined {
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  const [word, ...others] = wordsOf(before);
  if (word === "help") return others;
  return args.length === 0 || before.includes("--help") || before.includes("-h")
    ? wordsOf(before)
    : undefined;
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
  const [word] = wordsOf(args);
  if (word === undefined || isBlank(word)) return failure(missingCommand(args), "plancast --help");
  const other = COMMANDS_BY_TASK.get(word.toLowerCase());
  if (other !== undefined) return failure(`There is no command \`${word}\`. ${other}`, "plancast --help");
  const names = ["help", ...COMMANDS.map(({ name }) => name)];
  return failure(`There is no command \`${word}\`.${didYouMean(nearest(word, names))}`, "plancast --help");
}

/** The action comes first, because all other arguments depend on it. */
function invalidAction(
  { name }: RegisteredCommand,
  { words }: Usage,
  args: readonly string[],
): string | undefined {
  const [first] = words;
  const word = args[args.indexOf(name) + 1];
  if (first === undefined || first.choices.length === 0 || word === undefined || word.startsWith("-"))
    return undefined;
  return first.choices.includes(word) ? undefined : invalidChoice(first, word, words);
}

function missingCommand(args: readonly string[]): string {
  const flags = commonFlags();
  const known = new Set(flags.flatMap(({ name, aliases }) => [name, ...aliases]));
  const wrong = args.find((arg) => arg.startsWith("-") && !known.has(flagName(arg)));
  return wrong === undefined ? "Name a command." : unknownFlag("plancast", wrong, flags);
}

function unknownArgument(
  message: string,
  command: RegisteredCommand,
  { flags }: Usage,
  args: readonly string[],
): string | undefined {
  const [, name] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  if (name === undefined) return undefined;
  const written = args.find((arg) => arg.startsWith("-") && flagName(arg) === name);
  if (written === undefined) return `\`plancast ${command.name}\` does not need \`${name}\`.`;
  return unknownFlag(`plancast ${command.name}`, written, flags);
}

function unknownFlag(line: string, written: string, flags: readonly Flag[]): string {
  const near = nearest(
    flagName(written),
    flags.flatMap((each) => [each.name, ...each.aliases]).filter((each) => each.length > 1),
  );
  const no = near !== undefined && written.startsWith("--no-") ? "no-" : "";
  const meant = didYouMean(near === undefined ? undefined : `--${no}${near}`);
  return `\`${line}\` has no flag \`${written.replace(/=.*/s, "")}\`.${meant}`;
}

function flagName(written: string): string {
  return written.replace(/^--?(no-)?/, "").replace(/=.*/s, "");
}

function invalidValue(message: string, { flags, words }: Usage): string | undefined {
  const [, name, given] = /^Invalid values:\s*Argument: (\S+), Given: (.*), Choices: /s.exec(message) ?? [];
  const found = [...flags, ...words].find((each) => each.name === name);
  if (found === undefined || given === undefined) return undefined;
  const values = [...given.matchAll(/"([^"]*)"/g)].map(([, value]) => value ?? "");
  const value = values.find((each) => !found.choices.includes(each)) ?? given;
  return invalidChoice(found, value, words);
}

function invalidChoice(flag: Flag, value: string, words: readonly Flag[]): string {
  const { choices } = flag;
  const meant = didYouMean(nearest(value, choices));
  const all =
    choices.length === 1 ? `The only choice is ${choices.join("")}.` : `Choose one of ${choices.join(", ")}.`;
  return `${argumentText(flag, words)} cannot be \`${value}\`.${meant} ${all}`;
}

function missingArgument(message: string, { name }: RegisteredCommand, { words }: Usage): string | undefined {
  const [, flag] = /^Not enough arguments following: (\S+)/.exec(message) ?? [];
  if (flag !== undefined) return `\`--${flag}\` needs a value.`;
  const [, got] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? [];
  const word = words[Number(got)];
  if (word === undefined) return undefined;
  const choices = word.choices.length === 0 ? "" : ` Choose one of ${word.choices.join(", ")}.`;
  return `\`plancast ${name}\` needs ${argumentText(word, words)}.${choices}`;
}

function argumentText(flag: Flag, words: readonly Flag[]): string {
  return words.includes(flag) ? `<${flag.name}>` : `\`--${flag.name}\``;
}

/** yargs' message of several lines, as a sentence. */
function sentence(text: string): string {
  return `${text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "")}.`;
}
