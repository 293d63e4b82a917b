/**
 * `plancast apply`: the flags. The work is in run.ts and loaded on demand, so that Tab and --help answer fast; progress.ts
 * shows how it goes on, report.ts what it did.
 */

import { type Run, defineCommand } from "../common/command.ts";
import {
  ONLY_OPTION,
  REFRESH_OPTION,
  YES_OPTION,
  calendarsPositional,
  formatOption,
  textOption,
  wholeNumber,
} from "../common/flags.ts";
import type { ExitCode } from "../common/shell.ts";
import type { ApplyOptions } from "./run.ts";

interface ApplyFlags extends ApplyOptions {
  readonly "lock-timeout": string;
}

export const command = defineCommand<ApplyFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("apply"))
      .option("only", ONLY_OPTION)
      .option("refresh-media", REFRESH_OPTION)
      .option("plan", textOption("Apply only the plan that plan --out saved"))
      .option("yes", YES_OPTION)
      .option("format", formatOption("json", "markdown"))
      .option("allow-cancels", {
        type: "string",
        requiresArg: true,
        describe: "Allow exactly N cancellations",
        coerce: wholeNumber,
      })
      .option("allow-recreates", {
        type: "string",
        requiresArg: true,
        describe: "Allow exactly N missing posts to be created again",
        coerce: wholeNumber,
      })
      .option("lock-timeout", {
        type: "string",
        default: "0s",
        requiresArg: true,
        describe: "How long to wait for another run, such as 5m",
      })
      .example("$0 apply", "Shows the plan, asks, then applies it")
      .example("$0 apply --yes", "Applies without asking, as in CI")
      .example("$0 apply --plan plan.json --yes", "Applies the plan that you reviewed, or refuses"),
  run: (run) => apply(run),
  printFailed: async (_problems, format, console) => {
    const { printNothingDone } = await import("./report.ts");
    printNothingDone(format, console);
  },
});

async function apply(run: Run<ApplyFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { lockDeadline } = await import("../../sync/state/run-lock.ts");
  const { WAITING_FOR_RUN } = await import("../../report/outcomes/progress.ts");
  const { clock, stop } = shell;
  const until = lockDeadline(flags["lock-timeout"], clock);
  const onWait = (): void => console.note(WAITING_FOR_RUN);
  const lockOptions = { command: "apply", canWait: true, until, clock, stop, onWait };
  const { applyLocked } = await import("./run.ts");
  return applyLocked({ ...run, lockOptions, report: undefined });
}
