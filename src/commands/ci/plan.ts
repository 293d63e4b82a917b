/**
 * The plan step of a job: the plan as text, as Markdown, as outputs, and as a file for the artifact. Also its preview,
 * a page with the posts for reviewers.
 */

import { join } from "node:path";
import * as assets from "plancast:page";
import { readRegular, textOrNot, writeTyped } from "../../disk/files.ts";
import { placeInProject, placeTyped } from "../../disk/place.ts";
import { RECORD_FILE } from "../../calendars/approval-record.ts";
import { Git, textAt } from "../../github/git-branch.ts";
import { changedFiles, fileLinks, trackedFiles } from "../../github/pull-request-files.ts";
import { PLAN_FILE, artifactName, unreviewedName } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import type { MediaFile, ResolvedPost } from "../../model/post.ts";
import { type Problem, hasErrors, problem } from "../../model/problem.ts";
import { openScheduleService } from "../../repository/schedule-service.ts";
import { addressIn } from "../../service/connect/configured-address.ts";
import { REPOSITORY } from "../../settings/config.ts";
import { embeddedImageUrls } from "../../preview/page-media.ts";
import { type ProjectPage, previewHtml, severalPreviewsHtml } from "../../preview/preview-html.ts";
import type { NoPlan } from "../../report/plan/decisions.ts";
import { planMarkdown } from "../../report/plan/plan-markdown.ts";
import { planText } from "../../report/plan/plan-text.ts";
import { annotations, problemsMarkdown } from "../../report/problems/github.ts";
import { unknownPostProblems } from "../../sync/plan/unknown-posts.ts";
import { notConfirmedProblems } from "../../sync/plan/make-plan.ts";
import type { Compared } from "../../sync/plan/trusted.ts";
import type { Planning } from "../../sync/sync.ts";
import { readPlan, savePlan, viewOf } from "../plan/run.ts";
import { type JobBase, baseOfJob, broughtByPullRequest, comparedInJob } from "../project/base.ts";
import { makePage } from "../preview/read.ts";
import type { Console } from "../shell/console.ts";
import { reportError, showProblems } from "../shell/report-problems.ts";
import { withoutInputs } from "./inputs.ts";
import {
  type ChangedFile,
  approvalNotices,
  canRunPlancast,
  settingNotices,
  workflowNotices,
} from "./merge-notices.ts";
import { type CiResult, type CiStep, type ProjectPart, fileForLaterSteps, problemCounts } from "./report.ts";

/** A plan, its file, and its texts. */
export interface CiPlan {
  readonly planning: Planning;
  /** Undefined if problems stopped it. */
  readonly plan: Plan | undefined;
  /** The plan file; empty without a plan. */
  readonly file: string;
  /** What the checkout was compared with. */
  readonly compared: Compared;
  readonly result: CiResult;
}

/** Plans, and saves the plan and its preview in files for the artifacts. */
export async function planStep(step: CiStep): Promise<CiResult> {
  const { planning, result } = await planOfStep(step);
  return { ...result, outputs: { ...result.outputs, ...(await writePreview(step, planning, false)) } };
}

export async function planOfStep(step: CiStep): Promise<CiPlan> {
  const { job, folder, inputs, flags, shell, console, givenKey, lists } = step;
  const { project } = step;
  const git = new Git(project.root, withoutInputs(shell.env));
  const base = await baseOfJob(git, job, project);
  const compared = {
    ...(await comparedInJob(project, job, base, git)),
    notices: await noticesOf(step, git, base),
  };
  const asked = { ...flags, calendar: inputs.calendars, only: [], "refresh-media": false };
  const planning = await readPlan({ flags: asked, shell, console, givenKey, lists, compared });
  const { plan, problems } = planning;
  showProblems(planning, console);
  if (plan === undefined)
    return { planning, plan, file: "", compared, result: invalidResult(step, planning) };
  const view = viewOf(planning, plan, flags);
  const links = fileLinks(job, folder, await trackedFiles(git));
  console.result(planText(view, console.style, { verbose: flags.verbose }));
  const file = await writePlanFile(step, planning, asked);
  return {
    planning,
    plan,
    file,
    compared,
    result: {
      exit: 0,
      annotations: problems,
      markdown: planMarkdown(view, {
        links,
        ...(problems.length === 0 ? {} : { notes: problemsMarkdown(problems, { title: "Warnings", links }) }),
      }),
      outputs: { ...planOutputs(step, plan, file), ...problemCounts(problems) },
      isNews: plan.changes.length > 0 || problems.length > 0 || plan.pending.length > 0,
      isHarmless: isHarmless(plan, problems),
    },
  };
}

/** Warnings about single posts. All others are about what a person should decide. */
const ABOUT_POSTS = /^(?:content|media|options|row|schedule)\//;

function isHarmless({ summary, missing, guards, pending }: Plan, problems: readonly Problem[]): boolean {
  return (
    summary.cancel + missing.length + guards.length + pending.length === 0 &&
    problems.every(({ severity, code }) => severity === "warning" && ABOUT_POSTS.test(code))
  );
}

/** What a pull request brings besides rows, if nobody can plan it before the merge. @param posts those of all rows */
export async function noticesWithoutPlan(
  step: CiStep,
  posts: readonly ResolvedPost[],
): Promise<readonly Problem[]> {
  const { job, project, shell } = step;
  const git = new Git(project.root, withoutInputs(shell.env));
  const base = job.pullRequest === undefined ? undefined : await baseOfJob(git, job, project);
  if (base === undefined) return [];
  const { refused, added, schedule } = await broughtByPullRequest(project, base);
  const { clock, randomBytes: random } = shell;
  const forged =
    addressIn(project, shell.env) === REPOSITORY && schedule !== undefined
      ? unknownPostProblems(
          await openScheduleService({ project, clock, random, compared: schedule }),
          posts,
          NO_CHANGES,
        )
      : [];
  const statements = notConfirmedProblems(project.config.lockfile, refused, added);
  return [...(await noticesOf(step, git, base)), ...statements, ...forged];
}

const NO_CHANGES = { unmanaged: [], changes: [] };

/** What a merge of the pull request changes besides the plan; nothing elsewhere. */
async function noticesOf(
  { job: { pullRequest }, project }: CiStep,
  git: Git,
  base: JobBase | undefined,
): Promise<readonly Problem[]> {
  if (pullRequest === undefined || base === undefined) return [];
  const { file, text = "", extended = [], root } = project;
  const answers = {
    file: RECORD_FILE,
    before: await base.read(RECORD_FILE),
    after: await textOrNot(placeInProject(root, RECORD_FILE)),
  };
  // As the program reads them: a link may lead to another file, and git may change an encoding while it writes a checkout.
  const settings = await Promise.all(
    [{ file, text }, ...extended].map(async (read): Promise<ChangedFile> => ({
      file: read.file,
      before: await base.read(read.file),
      after: read.text,
    })),
  );
  const paths = [...((await changedFiles(git, pullRequest)) ?? [])].filter(canRunPlancast);
  const changed = await Promise.all(
    paths.map(async (path): Promise<ChangedFile> => ({
      file: path,
      before: await base.readFromRoot(path),
      after: await textAt(git, "HEAD", path),
    })),
  );
  return [
    ...settings.flatMap(settingNotices),
    ...approvalNotices({ ...answers, after: answers.after ?? "" }),
    ...workflowNotices(changed),
  ];
}

async function writePlanFile(
  step: CiStep,
  planning: Planning,
  asked: Parameters<typeof savePlan>[2],
): Promise<string> {
  const { part } = step;
  const name = planFileOf(part);
  const file = part === undefined ? await fileForLaterSteps(step, name) : join(part.plans, name);
  await savePlan(planning, file, asked, step.shell);
  return file;
}

/** The name of a project's plan file in the artifact. */
export function planFileOf(part: ProjectPart | undefined): string {
  return part === undefined ? PLAN_FILE : `${part.stem}.json`;
}

function planOutputs({ job, inputs }: CiStep, plan: Plan, file: string): Record<string, string> {
  const { create, replace, cancel, adopt } = plan.summary;
  return {
    result: plan.changes.length + plan.missing.length > 0 ? "changes" : "nothing",
    hash: plan.hash(),
    changes: String(plan.changes.length),
    ...Object.fromEntries(
      Object.entries({ create, replace, cancel, adopt }).map(([name, count]) => [name, String(count)]),
    ),
    "plan-file": file,
    "plan-artifact": planArtifact(job, inputs.name),
  };
}

/** The name of the artifact with the plans of this run. */
export function planArtifact({ pullRequest, sha }: CiStep["job"], name: string): string {
  return pullRequest === undefined ? unreviewedName(name, sha) : artifactName(name, pullRequest.headSha);
}

function invalidResult({ job, folder }: CiStep, { problems }: Planning): CiResult {
  const links = fileLinks(job, folder, new Set());
  return {
    exit: 1,
    annotations: problems,
    markdown: problemsMarkdown(problems, { links }),
    outputs: { result: "invalid", ...problemCounts(problems) },
    isNews: true,
  };
}

/**
 * Writes the page of a plan, or of calendars that were only checked. A page that cannot be made is a warning.
 * @param isOffline whether the service was not asked
 * @returns the output with its path; the artifact gets the file's name
 */
export async function writePreview(
  step: CiStep,
  { checked, plan, problems }: Pick<Planning, "checked" | "plan" | "problems">,
  isOffline: boolean,
): Promise<Record<string, string>> {
  const { job, project, inputs, folder, shell, console } = step;
  const why = isOffline ? "offline" : hasErrors(problems) ? "errors" : "nothing-planned";
  const noPlan: NoPlan | undefined = plan === undefined ? { why } : undefined;
  try {
    const { data } = await makePage(
      project,
      { checked, plan, problems, noPlan, isTrial: false },
      pictures,
      shell,
    );
    const file = await fileForLaterSteps(step, `${step.part?.stem ?? inputs.name}-preview.html`);
    await writeTyped(await placeTyped(file, job.workspace), previewHtml(data, assets, "file"));
    return { "preview-file": file };
  } catch (error) {
    return withoutPreview(error, folder, console);
  }
}

/** Joins the pages of several projects in one file. A page that cannot be made is a warning. */
export async function writePreviews(
  step: Pick<CiStep, "job" | "inputs" | "shell" | "console">,
  previews: readonly { readonly project: string; readonly file: string }[],
): Promise<Record<string, string>> {
  const { job, inputs, console } = step;
  if (previews.length === 0) return {};
  try {
    const pages: ProjectPage[] = [];
    for (const { project, file } of previews) {
      const html = await readRegular((await placeTyped(file, job.workspace)).place);
      pages.push({ name: project, html: html.toString("utf8") });
    }
    const file = await fileForLaterSteps(step, `${inputs.name}-preview.html`);
    await writeTyped(await placeTyped(file, job.workspace), severalPreviewsHtml(pages, assets));
    return { "preview-file": file };
  } catch (error) {
    return withoutPreview(error, "", console);
  }
}

function withoutPreview(error: unknown, folder: string, console: Console): Record<string, string> {
  if (!(error instanceof Failure)) throw error;
  const [shown] = reportError(error, console);
  console.result(
    annotations([problem("ci/comment", `There is no preview. ${shown?.message ?? ""}`)], folder),
  );
  return {};
}

/** Only the files inside the page, because no other files are next to it. */
async function pictures(
  root: string,
  files: readonly MediaFile[],
): Promise<(sha256: string) => string | undefined> {
  const embedded = await embeddedImageUrls(root, files);
  return (sha256) => embedded.get(sha256);
}
