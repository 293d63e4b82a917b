/** Apply in a job: only what was reviewed on a pull request, unless the inputs say otherwise. */

import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { applyDocument, applyMarkdown, outcomeAnnotations } from "../../report/outcomes/apply.ts";
import { NOT_NAMED, applyByHandMarkdown } from "../../report/plan/plan-markdown.ts";
import {
  type Review,
  GUARD_HINT_FOR_SEVERAL,
  GUARD_HINT_IN_JOBS,
  notReviewedText,
  otherPlanText,
  reviewHint,
} from "../../problems/plan-texts.ts";
import {
  type SavedPlan,
  isSamePlan,
  readReviewed,
  readSavedPlan,
  reviewedMissing,
  unreviewedChanges,
} from "../../sync/apply/saved-plan.ts";
import { areOtherAccounts, otherAccounts } from "../../sync/state/accounts.ts";
import { forgetOwnLockfile, keepOwnLockfile, readOwnLockfile } from "../../sync/state/project-state.ts";
import { withoutWaiting } from "../../sync/state/run-lock.ts";
import { type ReportApply, reportApply } from "../apply/report.ts";
import type { ApplyRun } from "../../sync/apply/apply-plan.ts";
import { applyLocked } from "../apply/run.ts";
import { reportError } from "../shell/report-problems.ts";
import { type CiPlan, planOfStep, planFileOf } from "./plan.ts";
import { type CiResult, type CiStep, refusedResult, resultName, stoppedResult } from "./report.ts";

export async function applyStep(step: CiStep): Promise<CiResult> {
  await forgetOwnLockfile(step.project);
  const made = await planOfStep(step);
  const { plan } = made;
  if (plan === undefined) return made.result;
  if (isLeft(step, plan)) return leftResult(made.result);
  try {
    const review = await checkReviewed(step, plan, made);
    if (step.shell.stop.aborted) return stoppedResult([], true);
    return await applyReviewed(step, made, review);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problems = reportError(withCiHint(error, step), step.console);
    // With the current plan, which needs a review.
    return refusedResult(problems, made.result, applyByHandMarkdown(plan.hash()));
  }
}

/** Whether the input names plans by their hashes, but not this one: it may be for another project of the job. */
function isLeft({ inputs, part }: CiStep, plan: Plan): boolean {
  return part !== undefined && inputs.plan !== undefined && !inputs.plan.includes(plan.hash());
}

function leftResult({ outputs, ...planned }: CiResult): CiResult {
  return {
    ...planned,
    markdown: NOT_NAMED + planned.markdown,
    outputs: { ...outputs, result: "nothing" },
    isNews: false,
  };
}

/** A guard's refusal, with advice for a job. */
function withCiHint(error: Failure, { part }: CiStep): Failure {
  const hint = part === undefined ? GUARD_HINT_IN_JOBS : GUARD_HINT_FOR_SEVERAL;
  return error.code.startsWith("guard/") ? new Failure(error.code, error.message, hint) : error;
}

/** What a review allows. */
interface Reviewed {
  /** Whether the changes were reviewed, so that their cancels are allowed. */
  readonly isReviewed: boolean;
  /** Keys of the missing rows to create again. */
  readonly recreates: ReadonlySet<string>;
}

const NOT_REVIEWED: Reviewed = { isReviewed: false, recreates: new Set() };

/** Throws a Failure if the changes must be reviewed and are not. */
async function checkReviewed(step: CiStep, plan: Plan, { planning, file }: CiPlan): Promise<Reviewed> {
  const { inputs, part, reviewed } = step;
  const hasChanges = plan.changes.length > 0;
  if (!hasChanges && plan.guards.length + plan.missing.length === 0) return NOT_REVIEWED;
  if (inputs.plan !== undefined) {
    checkNamed(inputs.plan, plan);
    return { isReviewed: true, recreates: new Set(plan.missing.map(({ key }) => key)) };
  }
  if ((!hasChanges && plan.missing.length === 0) || inputs.reviewed_plan === "off") return NOT_REVIEWED;
  const now = await readSavedPlan(file, "/");
  const series = planning.series;
  const seen: { number: number; plan: SavedPlan }[] = [];
  const unread: Review["unread"][number][] = [];
  // Series that exist go on, even if the plans that were reviewed have expired.
  let isReviewed = isCovered(inputs.reviewed_plan === "exact", now, [], series);
  let { recreates } = NOT_REVIEWED;
  if (isReviewed && plan.missing.length === 0) return { isReviewed, recreates };
  for await (const { number, text } of reviewed.plans()) {
    const plan = await readReviewed(() => text(planFileOf(part)), now);
    if (plan === undefined) continue;
    if (plan instanceof Failure) {
      unread.push({ number, why: plan.message });
      continue;
    }
    if (areOtherAccounts(plan.accounts, now.accounts))
      throw otherAccounts("plan", plan.accounts, now.accounts);
    seen.push({ number, plan });
    const plans = seen.map((each) => each.plan);
    isReviewed ||= isCovered(inputs.reviewed_plan === "exact", now, plans, series);
    recreates = reviewedMissing(now, plans);
    if (isReviewed && recreates.size === plan.missing.length) break;
  }
  if (!hasChanges || isReviewed) return { isReviewed, recreates };
  const known = inputs.reviewed_plan === "exact" && seen.length === 0 ? new Set<string>() : series;
  throw refusal(now, seen, unread, known);
}

/** A person who names a plan has read it. Throws a Failure if another plan would be applied now. */
function checkNamed(hashes: readonly string[], plan: Plan): void {
  if (!hashes.includes(plan.hash())) throw otherPlan(hashes);
}

/** No plan of the job has these hashes. */
export function otherPlan(hashes: readonly string[]): Failure {
  return new Failure("ci/not-reviewed", otherPlanText(hashes.join(", ")), reviewHint(false));
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
  { planning, plan: planned, result, file, compared }: CiPlan,
  { isReviewed, recreates }: Reviewed,
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
      plan: isReviewed ? file : undefined,
      yes: true,
      format: "text",
    },
    shell,
    console,
    givenKey,
    lockOptions: withoutWaiting("ci run", shell),
    report,
    recreates,
    compared,
    isCommittedLater: inputs.lockfile !== "none",
    ...(planned === undefined ? {} : { shown: planned.hash() }),
  });
  if (reported === undefined) return { ...result, exit, outputs: { ...result.outputs, result: "failed" } };
  const { result: ran, after } = reported;
  const { changes, unproved } = reported.plan;
  if (
    changes.length === 0 &&
    planning.lockfile !== undefined &&
    (await readOwnLockfile(project)) === undefined
  )
    await keepOwnLockfile(project, planning.lockfile(), unproved);
  const document = applyDocument(ran, after);
  const rows = { changes, timezone: project.config.timezone ?? "UTC", interrupted: ran.interrupted };
  return {
    exit,
    annotations: [...outcomeAnnotations(document, changes), ...(planned?.problems ?? [])],
    markdown: applyMarkdown(document, rows),
    outputs: { ...result.outputs, result: resultName(exit, changes.length === 0 ? "nothing" : "applied") },
    isNews: true,
  };
}
