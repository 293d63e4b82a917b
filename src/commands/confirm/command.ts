/**
 * `plancast confirm`: a person reads the plan of an assistant at a terminal, and allows exactly this plan. Only the
 * server of `plancast mcp` needs that; `plancast apply` asks for itself.
 */

import { Failure } from "../../model/failure.ts";
import { PLAN_HASH } from "../../model/plan.ts";
import { nothingToConfirmText, confirmQuestion, confirmedText } from "../../report/assistant.ts";
import { type Run, defineCommand } from "../shell/command.ts";
import { namesPositional } from "../shell/flags.ts";
import { showProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";

interface ConfirmFlags {
  readonly hash: string;
  readonly calendar: string[];
}

export const command = defineCommand<ConfirmFlags>({
  flags: (yargs) =>
    yargs
      .positional("hash", {
        type: "string",
        demandOption: true,
        describe: "The whole hash of the plan, as the assistant shows it",
      })
      .positional("calendar", namesPositional("Calendars of the plan (default: all)"))
      .example("$0 confirm HASH", "Read the plan with this hash, and let an assistant apply it once"),
  run: confirm,
});

async function confirm(run: Run<ConfirmFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { CONFIRMED_MINUTES, ConfirmedPlans, confirmedPlan } = await import("./confirmed-plans.ts");
  if (!PLAN_HASH.test(flags.hash))
    throw new Failure(
      "confirm/other-plan",
      "This is not the whole hash of a plan. Nothing was confirmed.",
      "Copy the hash from the assistant. A hash is sha256: followed by 64 digits and lower-case letters.",
    );
  if (!shell.isInteractive) throw needsTerminal();
  const { readPlan } = await import("../plan/run.ts");
  const planning = await readPlan({ ...run, flags: { ...flags, only: [], "refresh-media": false } });
  const { plan, opened, project } = planning;
  showProblems(planning, console);
  if (plan === undefined || opened === undefined) return 1;
  const { refuseGuarded, shownPlan } = await import("../apply/run.ts");
  // On stderr, where the question is, and with whole texts: the person must see everything that they confirm.
  const shown = { verbose: flags.verbose, isWhole: true };
  console.alert(shownPlan(planning, plan, shown, console.errorStyle));
  if (plan.hash() !== flags.hash) throw otherPlan(plan.hash());
  if (plan.changes.length === 0) {
    console.result(nothingToConfirmText());
    return 0;
  }
  refuseGuarded(plan);
  const automation = project.config.automations.after_apply?.id;
  if (!(await shell.confirm(confirmQuestion(CONFIRMED_MINUTES, automation)))) {
    console.note(`Nothing was confirmed.${shell.stop.aborted ? "" : " Only y or yes confirms it."}\n`);
    return shell.stop.aborted ? 130 : 1;
  }
  const plans = await ConfirmedPlans.of(project, shell.env, shell.clock);
  if ((await plans.add(await confirmedPlan(planning, opened, plan))) === undefined) throw notStored();
  console.result(confirmedText(CONFIRMED_MINUTES));
  return 0;
}

function needsTerminal(): Failure {
  return new Failure(
    "confirm/needs-terminal",
    "Only a person at a terminal can confirm a plan. Nothing was confirmed.",
    "Run it yourself in a terminal, outside of CI.",
  );
}

function otherPlan(hash: string): Failure {
  return new Failure(
    "confirm/other-plan",
    `The plan has changed since the assistant made it: the plan above has the hash ${hash}. Nothing was confirmed.`,
    "Ask the assistant for a new plan, or name the calendars of its plan after the hash.",
  );
}

function notStored(): Failure {
  return new Failure(
    "confirm/not-stored",
    "plancast cannot save the confirmation outside the checkout, so nothing was confirmed.",
    "Make your folder for settings writable, or set XDG_CONFIG_HOME to a folder outside the checkout.",
  );
}
