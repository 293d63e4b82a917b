/**
 * `plancast apply`: the flags. run.ts does the work and is loaded on demand, so that Tab and --help answer fast.
 * report.ts shows the progress and the result.
 */

import {
  type Run,
  HELP_GROUPS,
  ONLY_OPTION,
  ONLY_VALID_OPTION,
  REFRESH_OPTION,
  YES_OPTION,
  calendarsPositional,
  countOption,
  defineCommand,
  formatOption,
  textOption,
} from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";
import type { ApplyRunFlags } from "./run.ts";

interface ApplyFlags extends ApplyRunFlags {
  readonly "lock-timeout": string;
}

export const command = defineCommand({
  flags: {
    calendar: calendarsPositional("apply"),
    only: ONLY_OPTION,
    "only-valid": ONLY_VALID_OPTION,
    "refresh-media": REFRESH_OPTION,
    plan: {
      ...textOption("Apply the plan in this file, and refuse if anything has changed", "FILE"),
      group: HELP_GROUPS.safety,
    },
    yes: YES_OPTION,
    format: formatOption("json", "markdown"),
    "allow-cancels": { ...countOption("Allow exactly N cancellations"), group: HELP_GROUPS.safety },
    "allow-recreates": {
      ...countOption("Allow plancast to create exactly N missing posts again"),
      group: HELP_GROUPS.safety,
    },
    "lock-timeout": {
      type: "string",
      default: "0s",
      requiresArg: true,
      describe: "Wait this long for another run to end, such as 5m",
      valueName: "TIME",
      group: HELP_GROUPS.safety,
    },
  },
  examples: [
    ["apply", "Show the plan, ask, then apply it"],
    ["apply --yes", "Apply without asking, as in CI"],
    ["apply --plan plan.json --yes", "Apply a plan that you have reviewed"],
  ],
  run: (run) => apply(run),
  printFailed: async (_problems, format, console) => {
    const { printNothingDone } = await import("./report.ts");
    printNothingDone(format, console);
  },
  // An exact number of cancellations is for one plan.
  forAll: { single: ["calendar", "plan", "allow-cancels", "allow-recreates"] },
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
