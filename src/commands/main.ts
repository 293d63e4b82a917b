/** From argv to a command: finds the command that the arguments name, and runs it, or shows its help. */

import type { Problem } from "../model/problem.ts";
import { VERSION } from "../model/version.ts";
import { COMMAND_GROUPS } from "./all-commands.ts";
import type { AnyFlags, Command, GlobalFlags, Run } from "./shell/command.ts";
import { type Console, openConsole } from "./shell/console.ts";
import {
  type ExitCode,
  type Shell,
  EXIT_CODES,
  processShell,
  stopOnSignals,
  unlessStalled,
} from "./shell/shell.ts";
import { asksForVersion, commonFlags, documented, helpTopic, namedCommand } from "./usage.ts";

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
    if (asksForVersion(args)) {
      shell.stdout.write(`${VERSION}\n`);
      return 0;
    }
    const { parseArguments } = await import("./parse-arguments.ts");
    const { command, flags } = await parseArguments(args);
    return await runCommand(command, flags, shell);
  } catch (error) {
    const { reportError: explain } = await import("./shell/report-problems.ts");
    const console = consoleWithoutFlags(args, shell);
    const problems = explain(error, console);
    await printFailed(await namedCommand(args)?.load(), problems, requestedFormat(args), console);
    return 1;
  }
}

/** Prints the help of the command that `topic` names, or the overview. Throws a Failure for an unknown command. */
async function showHelp(topic: readonly string[], console: Console): Promise<void> {
  const command = namedCommand(topic);
  if (command === undefined && topic.length > 0) {
    const { unknownCommand } = await import("./parse-arguments.ts");
    throw unknownCommand(topic);
  }
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
async function runCommand(command: Command, flags: GlobalFlags & AnyFlags, shell: Shell): Promise<ExitCode> {
  const run = { flags, shell, console: openConsole(shell, flags) };
  // Another command may have another flag with this name.
  const { all } = flags;
  if (command.forAll === undefined || !Array.isArray(all)) return runOnce(command, run);
  const { runForAll } = await import("./shell/several-projects.ts");
  return runForAll(command, all.map(String), run, runOnce);
}

/** If the command throws, the error is reported and the exit code is 1. */
async function runOnce(command: Command, run: Run<AnyFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const fail = async (problems: readonly Problem[]): Promise<void> =>
    printFailed(command, problems, formatIn(flags), console);
  try {
    return await unlessStalled(command.run(run));
  } catch (error) {
    if (shell.stop.aborted) {
      console.alert("Interrupted.\n");
      await fail([]);
      return 130;
    }
    const { reportError: explain } = await import("./shell/report-problems.ts");
    await fail(explain(error, console));
    return 1;
  }
}

/** The document of a run that failed before it had a result. stderr has the failure. */
async function printFailed(
  command: Command | undefined,
  problems: readonly Problem[],
  format: string | undefined,
  console: Console,
): Promise<void> {
  if (command === undefined || !Object.hasOwn(command.flags, "format")) return;
  if (command.printFailed !== undefined) await command.printFailed(problems, format, console);
  else if (format === "json") {
    const { failedDocument } = await import("../report/problems/problems-json.ts");
    console.json(failedDocument(problems));
  }
}

function formatIn({ format }: AnyFlags): string | undefined {
  return typeof format === "string" ? format : undefined;
}
