/** Apply in a job: only what was reviewed on a pull request, unless the inputs say otherwise. */

import { reviewedPlans } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { applyMarkdown } from "../../report/outcomes/apply-text.ts";
import { applyByHandMarkdown } from "../../report/plan/plan-markdown.ts";
import { outcomeAnnotations, problemsMarkdown } from "../../report/problems/github.ts";
import {
  type SavedPlan,
  isMissingReviewed,
  isSamePlan,
  parseSavedPlan,
  readSavedPlan,
  unreviewedChanges,
} from "../../sync/apply/saved-plan.ts";
import { areOtherAccounts, otherAccounts } from "../../sync/state/accounts.ts";
import { withoutWaiting } from "../../sync/state/run-lock.ts";
import { type ApplyRun, type ReportApply, reportApply } from "../apply/report.ts";
import { applyLocked } from "../apply/run.ts";
import { reportError } from "../common/report-problems.ts";
import type { ExitCode } from "../common/shell.ts";
import { type CiPlan, makePlan } from "./plan.ts";
import { type CiResult, type CiStep, problemCounts, stoppedResult, withApi } from "./report.ts";

export async function applyStep(step: CiStep): Promise<CiResult> {
  const made = await makePlan(step);
  const { plan } = made;
  if (plan === undefined) return made.result;
  try {
    const isReviewed = await checkReviewed(step, plan, made.file);
    if (step.shell.stop.aborted) return stoppedResult([], true);
    return await applyReviewed(step, made, isReviewed ? made.file : undefined);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusedResult(reportError(withCiHint(error), step.console), made);
  }
}

/** A guard's refusal with the way on that there is in a job, which takes inputs and no flags. */
function withCiHint(error: Failure): Failure {
  if (!error.code.startsWith("guard/")) return error;
  return new Failure(
    error.code,
    error.message,
    "Here `--allow-cancels` and `--allow-recreates` are the inputs `allow-cancels` and `allow-recreates`; or run the workflow by hand with this plan's hash as `plan`.",
  );
}

/** Gives whether the plan stands for a review, so that its cancels do. Throws a Failure where it does not but must. */
async function checkReviewed(step: CiStep, plan: Plan, file: string): Promise<boolean> {
  const { inputs, job } = step;
  if (plan.changes.length === 0 && plan.guards.length === 0) return false;
  if (inputs.plan !== undefined) return checkNamed(inputs.plan, plan);
  if (plan.changes.length === 0 || inputs.reviewed_plan === "off") return false;
  const now = await readSavedPlan(file, "/");
  const seen: { number: number; plan: SavedPlan }[] = [];
  const unread: string[] = [];
  return withApi(step, async (api) => {
    for await (const { number, text } of reviewedPlans(api, job, inputs.name)) {
      const plan = await readReviewed(text);
      if (plan instanceof Failure) {
        unread.push(`The plan of #${number} counts as none. ${plan.message}`);
        continue;
      }
      if (areOtherAccounts(plan.accounts, now.accounts))
        throw otherAccounts("plan", plan.accounts, now.accounts);
      seen.push({ number, plan });
      const plans = seen.map((each) => each.plan);
      if (isCovered(inputs.reviewed_plan === "exact", now, plans)) return isMissingReviewed(now, plans);
    }
    throw refusal(now, seen, unread);
  });
}

/** Whoever names a plan has read it. Throws a Failure where another would be done now. */
function checkNamed(hash: string, plan: Plan): true {
  if (plan.hash() === hash) return true;
  throw new Failure(
    "ci/not-reviewed",
    `The plan is no longer the one that the input plan names (${hash}): a row, the lockfile or the service's posts are not as they were. Nothing was changed.`,
    READ_AGAIN,
  );
}

const READ_AGAIN =
  "Read the plan in this run's summary. To apply just that one, run the workflow by hand, with the hash that stands there as `plan`; or make a pull request that shows it.";

/** A plan that cannot be read is no review, and keeps no other from being one. */
async function readReviewed(text: () => Promise<string>): Promise<SavedPlan | Failure> {
  try {
    return parseSavedPlan(await text());
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function isCovered(isExact: boolean, now: SavedPlan, seen: readonly SavedPlan[]): boolean {
  if (seen.some((plan) => isSamePlan(plan, now))) return true;
  return !isExact && unreviewedChanges(now, seen).length === 0;
}

const MAX_NAMED = 10;

/** @param unread why plans could not be read, in sentences */
function refusal(
  now: SavedPlan,
  seen: readonly { number: number; plan: SavedPlan }[],
  unread: readonly string[],
): Failure {
  const other = unreviewedChanges(
    now,
    seen.map(({ plan }) => plan),
  );
  const more = other.length - MAX_NAMED;
  const names = other.slice(0, MAX_NAMED).join("; ") + (more > 0 ? `; and ${more} more` : "");
  const where = seen.map(({ number }) => `#${number}`).join(", ");
  const what =
    seen.length === 0
      ? `No merged pull request has a plan${unread.length === 0 ? "" : " that can be read"}, and there is something to do: ${names}`
      : other.length === 0
        ? `The plan is not exactly the one that was reviewed (${where}): the same changes, but a row, the lockfile or the service's posts are not as they were`
        : `Not in a plan that was reviewed (${where}): ${names}`;
  const again = unread.length === 0 ? "" : "Run the job again, if a download failed. ";
  return new Failure(
    "ci/not-reviewed",
    [`${what}.`, ...unread, "Nothing was changed."].join(" "),
    again + READ_AGAIN,
  );
}

async function applyReviewed(
  step: CiStep,
  { plan: planned, result }: CiPlan,
  file: string | undefined,
): Promise<CiResult> {
  const { inputs, flags, shell, console, project } = step;
  let reported: { result: ApplyRun; plan: Plan; after: Parameters<ReportApply>[3] } | undefined;
  const asked = { calendar: inputs.calendars, only: [], "refresh-media": false };
  const report: ReportApply = (ran, plan, config, after, given, to) => {
    reported = { result: ran, plan, after };
    return reportApply(ran, plan, config, after, given, to);
  };
  const exit = await applyLocked({
    flags: {
      ...flags,
      ...asked,
      "allow-cancels": inputs.allow_cancels,
      "allow-recreates": inputs.allow_recreates,
      plan: file,
      yes: true,
      format: "text",
    },
    shell,
    console,
    lockOptions: withoutWaiting("ci run", shell),
    report,
  });
  if (reported === undefined) return { ...result, exit, outputs: { ...result.outputs, result: "failed" } };
  const { result: ran, after } = reported;
  const { changes } = reported.plan;
  const markdown = applyMarkdown(ran, changes, project.config.timezone ?? "UTC", after);
  return {
    exit,
    annotations: [...outcomeAnnotations(ran, changes), ...(planned?.problems ?? [])],
    markdown: () => markdown,
    outputs: { ...result.outputs, result: resultName(exit, changes.length) },
    isNews: true,
  };
}

function resultName(exit: ExitCode, changes: number): string {
  switch (exit) {
    case 0:
      return changes === 0 ? "nothing" : "applied";
    case 3:
      return "unknown";
    case 130:
      return "interrupted";
    case 1:
    case 2:
      return "failed";
    default:
      return exit satisfies never;
  }
}

/** A refusal, with the plan that would be done now: it is what has to be reviewed. */
function refusedResult(problems: ReturnType<typeof reportError>, { plan, result }: CiPlan): CiResult {
  const way = plan === undefined ? "" : applyByHandMarkdown(plan.hash());
  return {
    ...result,
    exit: 1,
    annotations: [...problems, ...result.annotations],
    markdown: (maxLength, whole) => {
      const why = problemsMarkdown(problems, { maxLength: maxLength - way.length - 1, title: "Refused" });
      const head = `${why}\n${way}`;
      return `${head}\n${result.markdown(maxLength - head.length - 1, whole)}`;
    },
    outputs: { ...result.outputs, ...problemCounts(problems), result: "refused" },
    isNews: true,
  };
}
