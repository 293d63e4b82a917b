/** From argv to a command: parses the arguments, loads the command that they name, and runs it, or shows its help. */

import yargs, { type Argv, type CommandModule } from "yargs";
import { VERSION } from "../version.ts";
import { COMMANDS, COMMAND_GROUPS } from "./all-commands.ts";
import { type Command, type GlobalFlags, type Run, defineFlagsOf, globalFlags } from "./shell/command.ts";
import { type Console, openConsole } from "./shell/console.ts";
import {
  type ExitCode,
  type Shell,
  EXIT_CODES,
  processShell,
  stopOnSignals,
  unlessStalled,
} from "./shell/shell.ts";
import {
  commonFlags,
  documented,
  helpTopic,
  namedCommand,
  rejectRepeatedFlags,
  unknownCommand,
  usageFailure,
  usageOf,
} from "./usage.ts";

/** A command with its flags, ready to run. */
type Task = () => Promise<ExitCode>;

/**
 * Leaves yargs with the chosen command. After a handler that returns, yargs would format a help text that nobody sees,
 * which takes longer than reading a small calendar.
 */
class CommandChosen extends Error {
  readonly task: Task;

  constructor(task: Task) {
    super("a command was chosen");
    this.task = task;
  }
}

/** yargs rejected the arguments. */
class ArgumentsRejected extends Error {}

/** The command that the arguments ask for; undefined for `--version`, which is printed. Throws a Failure. */
async function chosenTask(args: readonly string[], shell: Shell): Promise<Task | undefined> {
  try {
    await parse(args, shell);
    return undefined;
  } catch (error) {
    if (error instanceof CommandChosen) return error.task;
    if (error instanceof ArgumentsRejected) throw await usageFailure(error.message, args);
    throw error;
  }
}

async function parse(args: readonly string[], shell: Shell): Promise<void> {
  await (
    await withCommands(globalFlags(yargs()), args, shell)
  )
    .scriptName("plancast")
    .demandCommand(1)
    .strict()
    .version(VERSION)
    .help(false)
    .alias({ v: "version" })
    .exitProcess(false)
    .fail((message, error) => {
      if (error instanceof Error && error.name !== "YError") throw error;
      throw new ArgumentsRejected(message ?? error.message);
    })
    // With a callback, yargs hands over the version instead of writing to the process.
    .parseAsync(args, {}, (_error, _parsed, version) => {
      if (version !== "") shell.stdout.write(`${version}\n`);
    });
}

/** Defines only the commands that the arguments name, because yargs can choose no other. */
async function withCommands(
  parser: Argv<GlobalFlags>,
  args: readonly string[],
  shell: Shell,
): Promise<Argv<GlobalFlags>> {
  const named = COMMANDS.filter(({ name }) => args.includes(name));
  for (const { name, words, describe, use } of named)
    await use((loaded) => void parser.command(words, describe, toYargsModule(name, loaded, shell)));
  // yargs rejects an unknown command only if it has some command.
  if (named.length === 0) for (const { words, describe } of COMMANDS) parser.command(words, describe);
  return parser;
}

/** A command in yargs' form. */
function toYargsModule<Flags>(
  name: string,
  loaded: Command<Flags>,
  shell: Shell,
): CommandModule<GlobalFlags, GlobalFlags & Flags> {
  return {
    builder: (args: Argv<GlobalFlags>) => defineFlagsOf(loaded)(args),
    handler: (parsed) => {
      // TypeScript cannot resolve yargs' mapped type of the parsed flags.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const flags = parsed as unknown as GlobalFlags & Flags;
      rejectRepeatedFlags(flags, name, usageOf(loaded));
      throw new CommandChosen(() => runCommand(loaded, flags, shell));
    },
  };
}

/** Runs the command that the arguments name, or shows the help. Never throws: it also reports wrong arguments. */
export async function main(
  args: readonly string[],
  shell: Shell = processShell(stopOnSignals()),
): Promise<ExitCode> {
  try {
    const topic = helpTopic(args);
    if (topic !== undefined) {
      await showHelp(topic, consoleWithoutFlags(args, shell));
      return 0;
    }
    const task = await chosenTask(args, shell);
    return task === undefined ? 0 : await task();
  } catch (error) {
    const { reportError: explain } = await import("./shell/report-problems.ts");
    const console = consoleWithoutFlags(args, shell);
    const problems = explain(error, console);
    await namedCommand(args)?.use(({ printFailed }) =>
      printFailed?.(problems, requestedFormat(args), console),
    );
    return 1;
  }
}

/** Prints the help of the command that `topic` names, or the overview. Throws a Failure for an unknown command. */
async function showHelp(topic: readonly string[], console: Console): Promise<void> {
  const command = namedCommand(topic);
  if (command === undefined && topic.length > 0) throw unknownCommand(topic);
  const { commandHelp, overviewHelp } = await import("../report/reference/help.ts");
  const { style } = console;
  if (command !== undefined) {
    console.result(commandHelp(await documented(command), commonFlags(), style));
    return;
  }
  const exitCodes = Object.entries(EXIT_CODES).map(([code, { short }]) => [code, short] as const);
  console.result(overviewHelp({ groups: COMMAND_GROUPS, globalFlags: commonFlags(), exitCodes }, style));
}

/** The console for help and for wrong arguments, which yargs has not parsed. */
function consoleWithoutFlags(args: readonly string[], shell: Shell): Console {
  const color = args.includes("--color") ? true : args.includes("--no-color") ? false : undefined;
  return openConsole(shell, {
    color,
    quiet: false,
    verbose: args.includes("--verbose"),
  });
}

/** The format that wrong arguments ask for: a program that waits for JSON gets JSON. */
function requestedFormat(args: readonly string[]): string | undefined {
  const [, joined] = /^--format=(.*)$/m.exec(args.join("\n")) ?? [];
  return joined ?? (args.includes("--format") ? args[args.indexOf("--format") + 1] : undefined);
}

/** Runs a command: for the nearest or named project, or with --all for several. */
export async function runCommand<Flags>(
  given: Command<Flags>,
  flags: GlobalFlags & Flags & { readonly format?: string | undefined; readonly all?: string | undefined },
  shell: Shell,
): Promise<ExitCode> {
  const run = { flags, shell, console: openConsole(shell, flags) };
  // Another command may have another flag with this name.
  if (given.forAll === undefined || flags.all === undefined) return runOnce(given, run);
  const { runForAll } = await import("./shell/several-projects.ts");
  return runForAll(given, flags.all, run, runOnce);
}

/** If the command throws, the error is reported and the exit code is 1. */
async function runOnce<Flags>(
  given: Command<Flags>,
  run: Run<Flags & { readonly format?: string | undefined }>,
): Promise<ExitCode> {
  const { flags, shell, console } = run;
  try {
    return await unlessStalled(given.run(run));
  } catch (error) {
    if (shell.stop.aborted) {
      console.alert("Interrupted.\n");
      await given.printFailed?.([], flags.format, console);
      return 130;
    }
    const { reportError: explain } = await import("./shell/report-problems.ts");
    const problems = explain(error, console);
    await given.printFailed?.(problems, flags.format, console);
    return 1;
  }
}
