/** From argv to a command: parses the arguments, loads the command that they name, and runs it. */

import yargs, { type Argv, type CommandModule } from "yargs";
import { VERSION } from "../version.ts";
import { COMMANDS } from "./all-commands.ts";
import type { Command } from "./common/command.ts";
import { openConsole } from "./common/console.ts";
import { type GlobalFlags, globalFlags } from "./common/flags.ts";
import { type ExitCode, type Shell, exitCodeLine, processShell, unlessStalled } from "./common/shell.ts";
import { stopOnSignals } from "./common/signals.ts";
import { rejectRepeatedFlags, usageFailure, usageOf } from "./usage.ts";

/** A command with its flags: what is to be run. */
type Task = () => Promise<ExitCode>;

/**
 * Leaves yargs with the command that was chosen. After a handler that returns, yargs would draw up a help that nobody
 * sees, which takes longer than to read a small calendar.
 */
class CommandChosen extends Error {
  readonly task: Task;

  constructor(task: Task) {
    super("a command was chosen");
    this.task = task;
  }
}

/** What yargs says is wrong with the arguments. */
class ArgumentsRejected extends Error {}

/** What the arguments ask for; undefined where that was to show help, which is done. Throws a Failure. */
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
    .usage("$0 <command>\n\nContent calendars as code: a spreadsheet or YAML in git becomes scheduled posts.")
    .demandCommand(1, "Choose one of the commands below.")
    .strict()
    .version(VERSION)
    .help()
    .alias({ h: "help", v: "version" })
    .epilogue(exitCodeLine())
    .wrap(Math.min(100, shell.stderr.columns))
    .exitProcess(false)
    .fail((message, error) => {
      if (error instanceof Error && error.name !== "YError") throw error;
      throw new ArgumentsRejected(message ?? error.message);
    })
    // With a callback, yargs hands over the help instead of writing to the process.
    .parseAsync(args, {}, (_error, _parsed, help) => {
      if (help !== "") shell.stdout.write(`${help}\n`);
    });
}

/** Loads the commands that the arguments name: yargs can choose no other, so of the others it gets only the description. */
async function withCommands(
  parser: Argv<GlobalFlags>,
  args: readonly string[],
  shell: Shell,
): Promise<Argv<GlobalFlags>> {
  for (const { name, words, describe, use } of COMMANDS) {
    if (args.includes(name))
      await use((loaded) => void parser.command(words, describe, toYargsModule(name, loaded, shell)));
    else parser.command(words, describe);
  }
  return parser;
}

/** A command's flags and work in yargs' form. */
function toYargsModule<Flags>(
  name: string,
  loaded: Command<Flags>,
  shell: Shell,
): CommandModule<GlobalFlags, GlobalFlags & Flags> {
  return {
    builder: (args: Argv<GlobalFlags>) => loaded.flags(args),
    handler: (parsed) => {
      // yargs' own type of what it parsed is a mapped one that TypeScript cannot see through.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const flags = parsed as unknown as GlobalFlags & Flags;
      rejectRepeatedFlags(flags, name, usageOf(loaded));
      throw new CommandChosen(() => runCommand(loaded, flags, shell));
    },
  };
}

/** Runs the command that the arguments name. Never throws: arguments that cannot be understood are told as well. */
export async function main(
  args: readonly string[],
  shell: Shell = processShell(stopOnSignals()),
): Promise<ExitCode> {
  try {
    const task = await chosenTask(args, shell);
    return task === undefined ? 0 : await task();
  } catch (error) {
    const { reportError: explain } = await import("./common/report-problems.ts");
    const color = args.includes("--no-color") ? false : undefined;
    const console = openConsole(shell, {
      config: undefined,
      "api-key-file": undefined,
      "trust-url": [],
      color,
      quiet: false,
      verbose: args.includes("--verbose"),
    });
    const problems = explain(error, console);
    const named = COMMANDS.find(({ name }) => args.includes(name));
    await named?.use(({ printFailed }) => printFailed?.(problems, requestedFormat(args), console));
    return 1;
  }
}

/** The format that arguments ask for which could not be understood otherwise: who waits for JSON gets JSON. */
function requestedFormat(args: readonly string[]): string | undefined {
  const [, joined] = /^--format=(.*)$/m.exec(args.join("\n")) ?? [];
  return joined ?? (args.includes("--format") ? args[args.indexOf("--format") + 1] : undefined);
}

/** Runs a command; what it throws is told, and ends it with 1. */
export async function runCommand<Flags>(
  given: Command<Flags>,
  flags: GlobalFlags & Flags & { readonly format?: string | undefined },
  shell: Shell,
): Promise<ExitCode> {
  const console = openConsole(shell, flags);
  try {
    return await unlessStalled(given.run({ flags, shell, console }));
  } catch (error) {
    if (shell.stop.aborted) {
      console.alert("Interrupted.\n");
      await given.printFailed?.([], flags.format, console);
      return 130;
    }
    const { reportError: explain } = await import("./common/report-problems.ts");
    const problems = explain(error, console);
    await given.printFailed?.(problems, flags.format, console);
    return 1;
  }
}
