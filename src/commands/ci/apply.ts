/** Apply in a job: only what was reviewed on a pull request, unless the inputs say otherwise. */

import { reviewedPlans } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import { knownSeries } from "../../model/lockfile.ts";
import type { Plan } from "../../model/plan.ts";
import { applyMarkdown } from "../../report/outcomes/apply-text.ts";
import { applyByHandMarkdown } from "../../report/plan/plan-markdown.ts";
import { outcomeAnnotations } from "../../report/outcomes/apply-summary.ts";
import {
  type Review,
  GUARD_HINT_IN_JOBS,
  notReviewedText,
  otherPlanText,
  reviewHint,
} from "../../problems/plan-texts.ts";
import { problemsMarkdown } from "../../report/problems/github.ts";
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
import { reportError } from "../shell/report-problems.ts";
import { type CiPlan, makePlan } from "./plan.ts";
import { type CiResult, type CiStep, problemCounts, resultName, stoppedResult, withApi } from "./report.ts";

export async function applyStep(step: CiStep): Promise<CiResult> {
  const made = await makePlan(step);
  const { plan } = made;
  if (plan === undefined) return made.result;
  try {
    const isReviewed = await checkReviewed(step, plan, made);
    if (step.shell.stop.aborted) return stoppedResult([], true);
    return await applyReviewed(step, made, isReviewed ? made.file : undefined);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusedResult(reportError(withCiHint(error), step.console), made);
  }
}

/** A guard's refusal, with advice for a job. */
function withCiHint(error: Failure): Failure {
  return error.code.startsWith("guard/") ? new Failure(error.code, error.message, GUARD_HINT_IN_JOBS) : error;
}

/** Whether the plan was reviewed, so that its cancels are allowed. Throws a Failure if it must be and is not. */
async function checkReviewed(step: CiStep, plan: Plan, { planning, file }: CiPlan): Promise<boolean> {
  const { inputs, job } = step;
  if (plan.changes.length === 0 && plan.guards.length === 0) return false;
  if (inputs.plan !== undefined) return checkNamed(inputs.plan, plan);
  if (plan.changes.length === 0 || inputs.reviewed_plan === "off") return false;
  const now = await readSavedPlan(file, "/");
  const series = knownSeries(planning.state?.lockfile ?? { posts: {} });
  const seen: { number: number; plan: SavedPlan }[] = [];
  const unread: Review["unread"][number][] = [];
  return withApi(step, async (api) => {
    for await (const { number, text } of reviewedPlans(api, job, inputs.name)) {
      const plan = await readReviewed(text);
      if (plan instanceof Failure) {
        unread.push({ number, why: plan.message });
        continue;
      }
      if (areOtherAccounts(plan.accounts, now.accounts))
        throw otherAccounts("plan", plan.accounts, now.accounts);
      seen.push({ number, plan });
      const plans = seen.map((each) => each.plan);
      if (isCovered(inputs.reviewed_plan === "exact", now, plans, series))
        return isMissingReviewed(now, plans);
    }
    throw refusal(now, seen, unread, series);
  });
}

/** Whoever names a plan has read it. Throws a Failure where another would be done now. */
function checkNamed(hash: string, plan: Plan): true {
  if (plan.hash() === hash) return true;
  throw new Failure("ci/not-reviewed", otherPlanText(hash), reviewHint(false));
}

/** An unreadable plan is not a review, but others may be. */
async function readReviewed(text: () => Promise<string>): Promise<SavedPlan | Failure> {
  try {
    return parseSavedPlan(await text());
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function isCovered(
  isExact: boolean,
  now: SavedPlan,
  seen: readonly SavedPlan[],
  series: ReadonlySet<string>,
): boolean {
  if (seen.some((plan) => isSamePlan(plan, now))) return true;
  return !isExact && unreviewedChanges(now, seen, series).length === 0;
}

function refusal(
  now: SavedPlan,
  seen: readonly { number: number; plan: SavedPlan }[],
  unread: Review["unread"],
  series: ReadonlySet<string>,
): Failure {
  const unreviewed = unreviewedChanges(
    now,
    seen.map(({ plan }) => plan),
    series,
  );
  const review = { seen: seen.map(({ number }) => number), unread, unreviewed };
  return new Failure("ci/not-reviewed", notReviewedText(review), reviewHint(unread.length > 0));
}

async function applyReviewed(
  step: CiStep,
  { plan: planned, result }: CiPlan,
  file: string | undefined,
): Promise<CiResult> {
  const { inputs, flags, shell, console, project, givenKey } = step;
  let reported: { result: ApplyRun; plan: Plan; after: Parameters<ReportApply>[3] } | undefined;
  const asked = { calendar: inputs.calendars, only: [], "refresh-media": false };
  const report: ReportApply = (ran, plan, project, after, given, to) => {
    reported = { result: ran, plan, after };
    return reportApply(ran, plan, project, after, given, to);
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
    givenKey,
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
    outputs: { ...result.outputs, result: resultName(exit, changes.length === 0 ? "nothing" : "applied") },
    isNews: true,
  };
}

/** A refusal, with the current plan, which needs a review. */
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
