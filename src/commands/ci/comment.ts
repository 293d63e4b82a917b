/**
 * Shows a result on the pull request: publishes its preview, if the project wants that, and comments. A separate step of
 * the Action, because only then is the address of the preview's artifact known.
 */

import { z } from "zod";
import { readRegular } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import { publishPage } from "../../github/pages.ts";
import { type Job, readJob, writeSummary } from "../../github/runner.ts";
import { updateStickyComment } from "../../github/sticky-comment.ts";
import { problem } from "../../model/problem.ts";
import {
  type PreviewLink,
  commentMarkdown,
  commentMarker,
  previewLine,
} from "../../report/plan/plan-markdown.ts";
import { annotations } from "../../report/problems/github.ts";
import type { Console } from "../shell/console.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type Inputs, readInputs } from "./inputs.ts";
import { type CommentDraft, commentDraft, isReadOnly, setOutputs, withApi } from "./report.ts";

interface Showing {
  readonly job: Job;
  readonly inputs: Inputs;
  readonly shell: Shell;
  readonly console: Console;
}

/** What earlier steps of the Action made; empty if they did not. */
const earlierSteps = z.object({
  /** Path of the page. */
  INPUT_PREVIEW_FILE: z.string().default(""),
  /** Address of the artifact with the page. */
  INPUT_PREVIEW_URL: z.string().default(""),
  /** Path of the comment's draft. */
  INPUT_COMMENT_FILE: z.string().default(""),
});

export async function ciComment(shell: Shell, console: Console): Promise<ExitCode> {
  try {
    const showing = { job: await readJob(shell.env), inputs: readInputs(shell.env), shell, console };
    const made = earlierSteps.parse(shell.env);
    const preview = await showPreview(showing, made);
    if (preview !== undefined) {
      await setOutputs(shell, { "preview-url": preview.url });
      await writeSummary(shell.env["GITHUB_STEP_SUMMARY"], previewLine(preview));
    }
    if (made.INPUT_COMMENT_FILE !== "") await comment(showing, made.INPUT_COMMENT_FILE, preview);
    return 0;
  } catch (error) {
    console.result(annotations(reportError(error, console), ""));
    return 1;
  }
}

/** Where the preview is; undefined if there is none. */
async function showPreview(
  showing: Showing,
  { INPUT_PREVIEW_FILE: file, INPUT_PREVIEW_URL: artifact }: z.infer<typeof earlierSteps>,
): Promise<PreviewLink | undefined> {
  const { job, inputs } = showing;
  const usual = artifact === "" ? undefined : ({ kind: "artifact", url: artifact } as const);
  if (inputs.pages === "false" || file === "" || isReadOnly(job)) return usual;
  const { name } = inputs;
  const published = await orWarning(showing, "The preview is not on GitHub Pages.", async () => {
    const html = await textOf(file, job);
    const page = { name, html, mayBePublic: inputs.pages === "public" };
    return withApi(showing, (api) => publishPage(api, job, page));
  });
  return published === undefined ? usual : { kind: "pages", url: published };
}

/** A comment that cannot be written does not fail the step, because the summary has the same content. */
async function comment(showing: Showing, file: string, preview: PreviewLink | undefined): Promise<void> {
  const { job, inputs, shell } = showing;
  const draft: CommentDraft = commentDraft.parse(JSON.parse(await textOf(file, job)));
  const { pullRequest } = draft;
  const facts = { name: inputs.name, runUrl: job.runUrl, sha: pullRequest.headSha, hash: draft.hash };
  const body = commentMarkdown(facts, draft.markdown, preview);
  const sticky = {
    job,
    pullRequest,
    marker: commentMarker(inputs.name),
    body,
    createIfMissing: draft.isNews,
  };
  const url = await orWarning(showing, "The plan is not shown on the pull request.", () =>
    withApi(showing, (api) => updateStickyComment(api, sticky)),
  );
  if (url !== undefined) await setOutputs(shell, { "comment-url": url });
}

/** Does what the job can do without: a failure is a warning. */
async function orWarning<T>(
  { shell, console }: Showing,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (shell.stop.aborted) return undefined;
    const [shown] = reportError(error, console);
    console.result(annotations([problem("ci/comment", `${what} ${shown?.message ?? ""}`)], ""));
    return undefined;
  }
}

async function textOf(file: string, { workspace }: Job): Promise<string> {
  return (await readRegular((await placeTyped(file, workspace)).place)).toString("utf8");
}
