/**
 * Reports the result of a step of the GitHub Action: as annotations, in the summary, as outputs, and for a comment. Also
 * opens GitHub's API for a step.
 */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, writeTyped } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import { type GitHubApi, openGitHub } from "../../github/api.ts";
import type { ReviewedPlans } from "../../github/reviewed-plans.ts";
import { type Job, remainingSummaryLength, writeOutputs, writeSummary } from "../../github/runner.ts";
import type { Problem } from "../../model/problem.ts";
import { type Annotation, annotations, problemsMarkdown } from "../../report/problems/github.ts";
import { cutMarkdown } from "../../report/text/markdown.ts";
import type { ProjectRun } from "../shell/command.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import type { Inputs } from "./inputs.ts";

/** What every step needs. */
export interface CiStep extends ProjectRun {
  readonly job: Job;
  readonly inputs: Inputs;
  readonly reviewed: ReviewedPlans;
  /** Undefined if the job has only one project. */
  readonly part: ProjectPart | undefined;
  /** The project's folder, relative to the checkout; empty if they are the same. */
  readonly folder: string;
}

/** The place of a project's files among the files of other projects in the same job. */
export interface ProjectPart {
  /** Absolute path of the folder with the plans of all projects, which exists. */
  readonly plans: string;
  /** The beginning of the names of its files; no other project has it. */
  readonly stem: string;
}

/** The result of a step, before the report. */
export interface CiResult {
  readonly exit: ExitCode;
  /** Problems to show beside the calendars. */
  readonly annotations: readonly Annotation[];
  /** The result in Markdown, the most important first: the end of a long one is cut off. */
  readonly markdown: string;
  /** Outputs of the step. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Whether to create a comment. plancast always updates an existing comment. */
  readonly isNews: boolean;
  /** Whether a person would miss nothing if nobody reads the plan: no error, no cancel, no question. */
  readonly isHarmless?: boolean;
}

/** The output `result` of a run that ended with `exit`. `done`: the word for a run without a failure. */
export function resultName(exit: ExitCode, done: string): string {
  switch (exit) {
    case 0:
      return done;
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

type CiContext = Pick<CiStep, "job" | "inputs" | "folder" | "shell" | "console">;

/** Longest content of a comment, in UTF-16 units. GitHub's limit is 65,536, also for the lines around it. */
const MAX_COMMENT = 62_000;

/** Longest summary, in UTF-16 units: nobody reads more. */
const MAX_SUMMARY = 300_000;

/** The comment that a later step writes, without the address of the preview. */
export const commentDraft = z.object({
  markdown: z.string(),
  /** The plan's hash; empty without a plan. */
  hash: z.string(),
  isNews: z.boolean(),
  /** A fetch opens its pull request itself, so the event does not name it. */
  pullRequest: z.object({ number: z.int(), headSha: z.string() }),
});
export type CommentDraft = z.infer<typeof commentDraft>;

/** Reports everywhere except on the pull request, and leaves a draft of the comment for that. */
export async function reportResult(result: CiResult, around: CiContext): Promise<void> {
  await reportToRunner(result, around);
  const { job, inputs, shell } = around;
  const isWanted = inputs.comment && inputs.token !== "" && !isReadOnly(job) && !shell.stop.aborted;
  if (job.pullRequest === undefined || !isWanted) return;
  const { outputs, isNews } = result;
  const whole =
    outputs["preview-file"] === undefined
      ? `[the run](${job.runUrl}) shows more, and its plan file has all of them`
      : "the preview above shows all of them";
  const draft: CommentDraft = {
    markdown: cutMarkdown(result.markdown, MAX_COMMENT, whole),
    hash: outputs["hash"] ?? "",
    isNews,
    pullRequest: { number: job.pullRequest.number, headSha: job.pullRequest.headSha },
  };
  const file = await fileForLaterSteps(around, "comment.json");
  await writeTyped(await placeTyped(file, job.workspace), JSON.stringify(draft));
  await setOutputs(shell, { "comment-file": file });
}

/** Whether GitHub gives the job only a token that can read, whatever its permissions. */
export function isReadOnly({ pullRequest, actor }: Job): boolean {
  return pullRequest?.isFork !== false || actor === "dependabot[bot]";
}

/** The path of a file that later steps of the job read. Its folder exists, outside the checkout. */
export async function fileForLaterSteps(
  { job, inputs, shell }: Pick<CiStep, "job" | "inputs" | "shell">,
  name: string,
): Promise<string> {
  const folder = join(shell.env["RUNNER_TEMP"] || tmpdir(), `${inputs.name}-plan`);
  await makeFolder((await placeTyped(folder, job.workspace)).place);
  return join(folder, name);
}

/** Reports only to the runner: works even if inputs or environment are wrong. */
export async function reportToRunner(
  result: CiResult,
  { folder, shell, console }: Pick<CiContext, "folder" | "shell" | "console">,
): Promise<void> {
  const summary = shell.env["GITHUB_STEP_SUMMARY"];
  console.result(annotations(result.annotations, folder));
  const room = Math.min(MAX_SUMMARY, await remainingSummaryLength(summary));
  await writeSummary(
    summary,
    cutMarkdown(result.markdown, room, "the plan file of this run has all of them"),
  );
  await setOutputs(shell, { "exit-code": String(result.exit), ...result.outputs });
}

/** GitHub's API for the job. Throws a Failure for an address that must not get a token. */
export function openApi({
  job,
  inputs,
  shell,
}: Pick<CiContext, "job" | "inputs" | "shell">): ReturnType<typeof openGitHub> {
  const { clock, stop } = shell;
  return openGitHub({ url: job.apiUrl, token: inputs.token, clock, stop });
}

/** Does something with GitHub's API, and ends its connections after it. */
export async function withApi<T>(
  around: Pick<CiContext, "job" | "inputs" | "shell">,
  work: (api: GitHubApi) => Promise<T>,
): Promise<T> {
  const { api, close } = openApi(around);
  try {
    return await work(api);
  } finally {
    await close();
  }
}

/** Sets outputs of the step, between unpredictable delimiters. */
export function setOutputs(
  { env, randomBytes }: Shell,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  return writeOutputs(env["GITHUB_OUTPUT"], outputs, () => Buffer.from(randomBytes(16)).toString("hex"));
}

/** Why a step ended: problems, or a cancelled job. */
export function stoppedResult(problems: readonly Problem[], isInterrupted: boolean): CiResult {
  return {
    exit: isInterrupted ? 130 : 1,
    annotations: problems,
    markdown: isInterrupted
      ? "**Interrupted.** Nothing was changed.\n"
      : problemsMarkdown(problems, { title: "Stopped" }),
    outputs: { result: isInterrupted ? "interrupted" : "failed", ...problemCounts(problems) },
    isNews: !isInterrupted,
  };
}

/** A result below the problems that refuse it. @param between Markdown between the two */
export function refusedResult(problems: readonly Problem[], result: CiResult, between = ""): CiResult {
  return {
    ...result,
    exit: 1,
    annotations: [...problems, ...result.annotations],
    markdown: `${problemsMarkdown(problems, { title: "Refused" })}\n${between}\n${result.markdown}`,
    outputs: { ...result.outputs, ...problemCounts(problems), result: "refused" },
    isNews: true,
  };
}

/** The number of problems, as outputs of the step. */
export function problemCounts(problems: readonly Problem[]): Record<"errors" | "warnings", string> {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { errors: String(errors), warnings: String(problems.length - errors) };
}
