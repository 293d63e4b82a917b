/** Tells what a step came to: beside the lines, in the summary, as outputs, and in a comment on the pull request. */
import { problem } from "../calendar/problem.ts";
import { GitHubApi } from "../github/api.ts";
import { remainingSummaryLength, writeOutputs, writeSummary } from "../github/command-files.ts";
import type { Job, PullRequest } from "../github/job.ts";
import { updateStickyComment } from "../github/sticky-comment.ts";
import { annotations } from "../report/annotations.ts";
import { commentMarkdown, commentMarker } from "../report/comment-markdown.ts";
import { openConnections } from "../service/http.ts";
import { VERSION } from "../version.ts";
import type { Inputs } from "./ci-inputs.ts";
import type { CiResult } from "./ci-result.ts";
import type { Console } from "./console.ts";
import { reportError } from "./explain.ts";
import type { Shell } from "./shell.ts";

export interface CiContext {
  readonly job: Job;
  readonly inputs: Inputs;
  /** The project's, seen from the checkout's; empty where it is that one. */
  readonly folder: string;
  readonly shell: Shell;
  readonly console: Console;
}

/** Longest summary, UTF-16 units: a page that is longer is not read. */
const MAX_SUMMARY = 300_000;

/** What is on the machine is told first: a job that is cancelled has no time for GitHub's API. */
export async function reportResult(result: CiResult, around: CiContext): Promise<void> {
  await reportToRunner(result, around);
  const { shell } = around;
  const { pullRequest } = around.job;
  if (pullRequest === undefined || !mayComment(around, pullRequest)) return;
  const url = await comment(result, pullRequest, around);
  if (url !== undefined)
    await writeOutputs(shell.env["GITHUB_OUTPUT"], { "comment-url": url }, () => randomDelimiter(shell));
}

/** Tells the runner alone: also where inputs or environment are wrong, so that nobody can be asked. */
export async function reportToRunner(
  result: CiResult,
  { folder, shell, console }: Pick<CiContext, "folder" | "shell" | "console">,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = shell.env;
  console.result(annotations(result.annotations, folder));
  const room = Math.min(MAX_SUMMARY, await remainingSummaryLength(summary));
  await writeSummary(
    summary,
    result.markdown(room, "the plan file that is kept with this run has every one"),
  );
  const outputs = { "exit-code": String(result.exit), ...result.outputs };
  await writeOutputs(output, outputs, () => randomDelimiter(shell));
}

function mayComment({ job, inputs, shell }: CiContext, { isFork }: PullRequest): boolean {
  const isReadOnly = isFork || job.actor === "dependabot[bot]";
  return inputs.comment && inputs.token !== "" && !isReadOnly && !shell.stop.aborted;
}

/** A comment that cannot be written is a pity, and no reason to fail: the summary says the same. */
async function comment(
  result: CiResult,
  pullRequest: PullRequest,
  { job, inputs, folder, shell, console }: CiContext,
): Promise<string | undefined> {
  const { name } = inputs;
  const { runUrl } = job;
  const facts = { name, runUrl, sha: pullRequest.headSha, hash: result.outputs["hash"] ?? "" };
  const whole = `[the run](${runUrl}) shows more, and its plan file has every one`;
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
    const [told] = reportError(error, console);
    const message = `The plan is not shown on the pull request. ${told?.message ?? ""}`;
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

/** A word that nobody can guess. */
export function randomDelimiter({ randomBytes }: Pick<Shell, "randomBytes">): string {
  return Buffer.from(randomBytes(16)).toString("hex");
}
