#!/usr/bin/env node
/** From argv to a command; the only place that sets the exit code. */
import yargs, { type Argv, type CommandModule } from "yargs";
import { applyCommand } from "./commands/apply.ts";
import { globalFlags, type Command, type GlobalFlags } from "./commands/command.ts";
import { openConsole } from "./commands/console.ts";
import { Failure } from "./calendar/failure.ts";
import { initCommand } from "./commands/init.ts";
import { planCommand } from "./commands/plan.ts";
import { serveCommand } from "./commands/serve.ts";
import { processShell, type ExitCode, type Shell } from "./commands/shell.ts";
import { stopOnSignals } from "./commands/signals.ts";
import { resolveCommand } from "./commands/resolve.ts";
import { rulesCommand } from "./commands/rules.ts";
import { runCommand } from "./commands/run-command.ts";
import { validateCommand } from "./commands/validate.ts";
import { VERSION } from "./version.ts";

async function main(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = 0;
  const ended = (code: ExitCode): void => {
    exit = code;
  };
  await globalFlags(yargs([...args]))
    .scriptName("plancast")
    .usage("$0 <command>\n\nContent calendars as code: a spreadsheet or YAML in git becomes scheduled posts.")
    .command(asModule(initCommand, shell, ended))
    .command(asModule(validateCommand, shell, ended))
    .command(asModule(planCommand, shell, ended))
    .command(asModule(applyCommand, shell, ended))
    .command(asModule(resolveCommand, shell, ended))
    .command(asModule(rulesCommand, shell, ended))
    .command(asModule(serveCommand, shell, ended))
    .demandCommand(1, "Say what to do: one of the commands below.")
    .recommendCommands()
    .strict()
    .version(VERSION)
    .help()
    .alias({ h: "help", v: "version" })
    .epilogue(
      "Exit codes: 0 done, 1 failed or refused, 2 changes (plan --detailed-exitcode), 3 unknown outcome, 130 interrupted.",
    )
    .wrap(Math.min(100, shell.stderr.columns))
    .exitProcess(false)
    .fail((message, error) => {
      if (error instanceof Error && error.name !== "YError") throw error;
      throw new Failure(
        "usage/arguments",
        message ?? error.message,
        "Run plancast --help to see what there is.",
      );
    })
    .parseAsync();
  return exit;
}

/** A command in yargs' form. */
function asModule<Flags>(
  given: Command<Flags>,
  shell: Shell,
  ended: (code: ExitCode) => void,
): CommandModule<GlobalFlags, GlobalFlags & Flags> {
  return {
    command: given.command,
    describe: given.describe,
    builder: (args: Argv<GlobalFlags>) => given.flags(args),
    handler: async (parsed) => {
      // yargs' own type of what it parsed is a mapped one that TypeScript cannot see through.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const flags = parsed as unknown as GlobalFlags & Flags;
      ended(await runCommand(given, flags, shell));
    },
  };
}

/** Arguments that cannot be understood, or a fault in what runs the commands. */
async function mainOrExplain(args: readonly string[]): Promise<ExitCode> {
  const shell = processShell(stopOnSignals());
  try {
    return await main(args, shell);
  } catch (error) {
    const { explain } = await import("./commands/explain.ts");
    const color = args.includes("--no-color") ? false : undefined;
    explain(
      error,
      openConsole(shell, {
        config: undefined,
        "api-key-file": undefined,
        color,
        quiet: false,
        verbose: args.includes("--verbose"),
      }),
    );
    return 1;
  }
}

process.exitCode = await mainOrExplain(process.argv.slice(2));
