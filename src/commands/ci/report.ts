/**
 * Reports the result of a step of the GitHub Action: as annotations, in the summary, as outputs, and in a comment on
 * the pull request.
 */

import { GitHubApi } from "../../github/api.ts";
import {
  type Job,
  type PullRequest,
  remainingSummaryLength,
  writeOutputs,
  writeSummary,
} from "../../github/runner.ts";
import { updateStickyComment } from "../../github/sticky-comment.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { commentMarkdown, commentMarker } from "../../report/plan/plan-markdown.ts";
import { type Annotation, annotations, problemsMarkdown } from "../../report/problems/github.ts";
import { openConnections } from "../../service/http/request.ts";
import { VERSION } from "../../version.ts";
import type { ProjectRun } from "../common/command.ts";
import { reportError } from "../common/report-problems.ts";
import type { ExitCode, Shell } from "../common/shell.ts";
import type { Inputs } from "./inputs.ts";

/** What every step needs. */
export interface CiStep extends ProjectRun {
  readonly job: Job;
  readonly inputs: Inputs;
}

/** The result of a step, before the report. */
export interface CiResult {
  readonly exit: ExitCode;
  /** Problems to show beside the calendars. */
  readonly annotations: readonly Annotation[];
  /** The result in at most this many UTF-16 units, the numbers first. `whole`: where all of it is. */
  readonly markdown: (maxLength: number, whole: string) => string;
  /** Outputs of the step. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Whether to create a comment. An existing one is updated in any case. */
  readonly isNews: boolean;
}

interface CiContext extends Pick<CiStep, "job" | "inputs" | "shell" | "console"> {
  /** The project's folder, relative to the checkout; empty if they are the same. */
  readonly folder: string;
}

/** Longest summary, UTF-16 units: nobody reads more. */
const MAX_SUMMARY = 300_000;

/** First what needs no network: a cancelled job has no time for GitHub's API. */
export async function reportResult(result: CiResult, around: CiContext): Promise<void> {
  await reportToRunner(result, around);
  const { shell } = around;
  const { pullRequest } = around.job;
  if (pullRequest === undefined || !mayComment(around, pullRequest)) return;
  const url = await comment(result, pullRequest, around);
  if (url !== undefined) await setOutputs(shell, { "comment-url": url });
}

/** Reports only to the runner: works even if inputs or environment are wrong. */
export async function reportToRunner(
  result: CiResult,
  { folder, shell, console }: Pick<CiContext, "folder" | "shell" | "console">,
): Promise<void> {
  const summary = shell.env["GITHUB_STEP_SUMMARY"];
  console.result(annotations(result.annotations, folder));
  const room = Math.min(MAX_SUMMARY, await remainingSummaryLength(summary));
  await writeSummary(summary, result.markdown(room, "the plan file of this run has all of them"));
  await setOutputs(shell, { "exit-code": String(result.exit), ...result.outputs });
}

function mayComment({ job, inputs, shell }: CiContext, { isFork }: PullRequest): boolean {
  const isReadOnly = isFork || job.actor === "dependabot[bot]";
  return inputs.comment && inputs.token !== "" && !isReadOnly && !shell.stop.aborted;
}

/** A comment that cannot be written does not fail the step, because the summary has the same content. */
async function comment(
  result: CiResult,
  pullRequest: PullRequest,
  { job, inputs, folder, shell, console }: CiContext,
): Promise<string | undefined> {
  const { name } = inputs;
  const { runUrl } = job;
  const facts = { name, runUrl, sha: pullRequest.headSha, hash: result.outputs["hash"] ?? "" };
  const whole = `[the run](${runUrl}) shows more, and its plan file has all of them`;
  const body = commentMarkdown(facts, (maxLength) => result.markdown(maxLength, whole));
  try {
    return await withApi({ job, inputs, shell }, (api) =>
      updateStickyComment(api, {
        job,
        pullRequest,
        marker: commentMarker(name),
        body,
        createIfMissing: result.isNews,
      }),
    );
  } catch (error) {
    if (shell.stop.aborted) return undefined;
    const [shown] = reportError(error, console);
    const message = `The plan is not shown on the pull request. ${shown?.message ?? ""}`;
    console.result(annotations([problem("ci/comment", message)], folder));
    return undefined;
  }
}

/** Does something with GitHub's API, and ends its connections after it. */
export async function withApi<T>(
  { job, inputs, shell }: Pick<CiContext, "job" | "inputs" | "shell">,
  work: (api: GitHubApi) => Promise<T>,
): Promise<T> {
  const dispatcher = openConnections();
  try {
    return await work(
      new GitHubApi({
        url: job.apiUrl,
        token: inputs.token,
        userAgent: `plancast/${VERSION}`,
        clock: shell.clock,
        stop: shell.stop,
        dispatcher,
      }),
    );
  } finally {
    await dispatcher.destroy();
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
    markdown: (maxLength) =>
      isInterrupted
        ? "**Interrupted.** Nothing was changed.\n"
        : problemsMarkdown(problems, { maxLength, title: "Stopped" }),
    outputs: { result: isInterrupted ? "interrupted" : "failed", ...problemCounts(problems) },
    isNews: !isInterrupted,
  };
}

/** The number of problems, as outputs of the step. */
export function problemCounts(problems: readonly Problem[]): Record<"errors" | "warnings", string> {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { errors: String(errors), warnings: String(problems.length - errors) };
}
