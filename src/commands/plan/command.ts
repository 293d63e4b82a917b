/**
 * `plancast plan`: the flags. The work is in run.ts, and in watch.ts for --watch. Both are loaded on demand, so that Tab and
 * --help answer fast.
 */

import { PLAN_FORMAT_NAMES, formatPlan, isPlanFormat } from "../../report/plan/plan-formats.ts";
import {
  type Run,
  HELP_GROUPS,
  NOW_OPTION,
  ONLY_OPTION,
  ONLY_VALID_OPTION,
  REFRESH_OPTION,
  calendarsPositional,
  defineCommand,
  formatOption,
  outOption,
  switchOption,
} from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";
import type { PlanFlags } from "./run.ts";

export const command = defineCommand({
  flags: {
    calendar: calendarsPositional("plan"),
    only: ONLY_OPTION,
    "only-valid": ONLY_VALID_OPTION,
    now: NOW_OPTION,
    "refresh-media": REFRESH_OPTION,
    out: outOption("Save the plan to this file, for apply --plan"),
    format: { ...formatOption(), choices: PLAN_FORMAT_NAMES },
    "detailed-exitcode": {
      ...switchOption("Exit with 2 if there are changes"),
      group: HELP_GROUPS.output,
    },
    short: { ...switchOption("Show one line for each post"), group: HELP_GROUPS.output },
    watch: switchOption("Plan again each time you save a file, until Ctrl-C"),
  },
  examples: [
    ["plan --short", "Show all changes, one line each"],
    ["plan --out plan.json", "Save the plan for a review"],
    ["plan calendars/march.csv", "Plan only one calendar"],
  ],
  run: plan,
  printFailed: async (problems, format, console) => {
    if (!isPlanFormat(format)) return;
    const { style } = console;
    console.document(
      await formatPlan(format, {
        planned: undefined,
        problems,
        counts: undefined,
        verbose: false,
        short: false,
        style,
      }),
    );
  },
  forAll: { single: ["calendar", "out", "watch"] },
});

async function plan(run: Run<PlanFlags>): Promise<ExitCode> {
  if (run.flags.watch) {
    const { watchPlan } = await import("./watch.ts");
    return watchPlan(run);
  }
  const { runPlanCommand } = await import("./run.ts");
  return runPlanCommand(run);
}
