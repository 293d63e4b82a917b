/** The tools `plan` and `apply`: an assistant can make a plan, but only a person can allow it. */

import { folderInCheckout } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { noPlanAnswer, planAnswer } from "../../report/assistant.ts";
import { withoutWaiting } from "../../sync/state/run-lock.ts";
import type { Planning } from "../../sync/sync.ts";
import { applyLocked, planToSave } from "../apply/run.ts";
import { CONFIRMED_MINUTES, ConfirmedPlans, confirmedPlan } from "../confirm/command.ts";
import { printPlan, readPlan } from "../plan/run.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";
import { findReview } from "./reviewed-plan.ts";

/** Plans, and prints the plan as JSON. @param say gets what the assistant should do with the plan */
export async function planForAssistant(
  run: Run,
  calendars: readonly string[],
  say: (text: string) => void,
): Promise<ExitCode> {
  const flags = { ...run.flags, calendar: [...calendars], only: [], "refresh-media": false };
  const planning = await readPlan({ ...run, flags });
  await printPlan(planning, "json", { verbose: false, short: false }, run.console);
  const { plan, problems, project } = planning;
  if (plan === undefined) {
    say(noPlanAnswer(problems.filter(({ severity }) => severity === "error").length));
    return 1;
  }
  say(
    planAnswer({
      hash: plan.hash(),
      summary: plan.summary,
      isGuarded: plan.guards.length > 0,
      calendars,
      projectFile: project.file,
      minutes: CONFIRMED_MINUTES,
    }),
  );
  return 0;
}

/** Applies the plan with this hash, if a person has confirmed it. Prints the result as JSON. */
export async function applyConfirmed(
  run: Run,
  hash: string,
  calendars: readonly string[],
): Promise<ExitCode> {
  const { flags, shell } = run;
  return applyLocked({
    ...run,
    flags: {
      ...flags,
      calendar: [...calendars],
      only: [],
      "refresh-media": false,
      plan: undefined,
      yes: false,
      format: "json",
      "allow-cancels": undefined,
      "allow-recreates": undefined,
    },
    lockOptions: withoutWaiting("mcp", shell),
    report: undefined,
    checkConfirmed: (planning, plan) => checkConfirmed(hash, planning, plan, run),
  });
}

/** Uses up the confirmation or the review, as the last step before the first change. Throws a Failure without one. */
async function checkConfirmed(hash: string, planning: Planning, plan: Plan, { shell }: Run): Promise<void> {
  if (plan.hash() !== hash)
    throw new Failure(
      "apply/plan-changed",
      "The plan has changed, so it no longer has this hash. Nothing was changed.",
      "Call plan again, and ask a person to confirm the new plan.",
    );
  if (plan.changes.length === 0) return;
  const { project, opened } = planning;
  const plans = await ConfirmedPlans.of(project, shell.env, shell.clock);
  if (opened === undefined) throw notConfirmed(hash);
  const confirmed = await confirmedPlan(planning, opened, plan);
  if (await plans.take(confirmed)) return;
  const folder = await folderInCheckout(project.root);
  const { origin: service } = opened.service;
  const planned = { plan: planToSave(planning, plan), project, folder, service };
  const found = await findReview(planned, shell).catch((error: unknown) => {
    if (error instanceof Failure) return { why: error.message };
    throw error;
  });
  if (found !== "reviewed") throw notConfirmed(hash, found.why);
  if (!(await plans.takeReview([folder, service, hash]))) throw notConfirmed(hash, USED);
}

const USED = "This machine has applied it before, or cannot note that it does.";

/** @param why no review counts */
function notConfirmed(hash: string, why?: string): Failure {
  const review = why === undefined ? "" : ` It does not count as reviewed: ${why}`;
  return new Failure(
    "apply/not-confirmed",
    `Nobody has confirmed this plan, or the confirmation has expired or was used. Nothing was changed.${review}`,
    `Ask a person to run \`plancast confirm ${hash}\` in a terminal, and call apply within ${CONFIRMED_MINUTES} minutes.`,
  );
}
