/** The plan step of a job: the plan as text, as Markdown, as outputs, and as a file for the artifact. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import { PLAN_FILE, artifactName, unreviewedName } from "../../github/reviewed-plans.ts";
import type { Plan } from "../../model/plan.ts";
import { planMarkdown } from "../../report/plan/plan-markdown.ts";
import { planText } from "../../report/plan/plan-text.ts";
import type { PlanView } from "../../report/plan/plan-view.ts";
import { problemsMarkdown } from "../../report/problems/github.ts";
import type { Planning } from "../../sync/sync.ts";
import { readPlan, savePlan, viewOf } from "../plan/run.ts";
import { showProblems } from "../common/report-problems.ts";
import { type CiResult, type CiStep, problemCounts } from "./report.ts";

/** Longest plan in a text if there are warnings to show below it. */
const PLAN_SHARE = 0.8;

/** A plan, its file, and its texts. */
export interface CiPlan {
  readonly planning: Planning;
  /** Undefined if problems stopped it. */
  readonly plan: Plan | undefined;
  /** The plan file; empty without a plan. */
  readonly file: string;
  readonly result: CiResult;
}

/** Plans, and saves the plan in a file for the artifact. */
export async function planStep(step: CiStep): Promise<CiResult> {
  return (await makePlan(step)).result;
}

export async function makePlan(step: CiStep): Promise<CiPlan> {
  const { inputs, flags, shell, console, givenKey } = step;
  const asked = { ...flags, calendar: inputs.calendars, only: [], "refresh-media": false };
  const planning = await readPlan({ flags: asked, shell, console, givenKey });
  const { plan, problems } = planning;
  showProblems(planning, console);
  if (plan === undefined) return { planning, plan, file: "", result: invalidResult(planning) };
  const view = viewOf(planning, plan, flags);
  console.result(planText(view, console.style, { verbose: flags.verbose }));
  const file = await writePlanFile(step, planning, asked);
  return {
    planning,
    plan,
    file,
    result: {
      exit: 0,
      annotations: problems,
      markdown: markdownOf(view, problems),
      outputs: { ...planOutputs(step, plan, file), ...problemCounts(problems) },
      isNews: plan.changes.length > 0 || problems.length > 0 || plan.held.length > 0,
    },
  };
}

async function writePlanFile(
  step: CiStep,
  planning: Planning,
  asked: Parameters<typeof savePlan>[2],
): Promise<string> {
  const { shell, inputs } = step;
  const folder = join(shell.env["RUNNER_TEMP"] || tmpdir(), `${inputs.name}-plan`);
  await makeFolder((await placeTyped(folder, planning.project.root)).place);
  const file = join(folder, PLAN_FILE);
  await savePlan(planning, file, asked, shell);
  return file;
}

function planOutputs({ job, inputs }: CiStep, plan: Plan, file: string): Record<string, string> {
  const { create, replace, cancel, adopt } = plan.summary;
  return {
    result: plan.changes.length > 0 ? "changes" : "nothing",
    hash: plan.hash(),
    changes: String(plan.changes.length),
    ...Object.fromEntries(
      Object.entries({ create, replace, cancel, adopt }).map(([name, count]) => [name, String(count)]),
    ),
    "plan-file": file,
    "plan-artifact":
      job.pullRequest === undefined
        ? unreviewedName(inputs.name, job.sha)
        : artifactName(inputs.name, job.pullRequest.headSha),
  };
}

function markdownOf(view: PlanView, problems: Planning["problems"]): CiResult["markdown"] {
  return (maxLength, whole) => {
    const room = problems.length === 0 ? maxLength : Math.floor(maxLength * PLAN_SHARE);
    const text = planMarkdown(view, { maxLength: room, whole });
    if (problems.length === 0) return text;
    return `${text}\n${problemsMarkdown(problems, { maxLength: maxLength - text.length - 1, title: "Warnings" })}`;
  };
}

function invalidResult({ problems }: Planning): CiResult {
  return {
    exit: 1,
    annotations: problems,
    markdown: (maxLength) => problemsMarkdown(problems, { maxLength }),
    outputs: { result: "invalid", ...problemCounts(problems) },
    isNews: true,
  };
}
