/** The preview of a pull request: a page with its posts, made in the job and shown to its reviewers. */

import * as assets from "plancast:page";
import { readRegular, writeTyped } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import type { MediaFile } from "../../model/post.ts";
import { hasErrors, problem } from "../../model/problem.ts";
import { embeddedImageUrls } from "../../preview/page-media.ts";
import { type ProjectPage, previewHtml, severalPreviewsHtml } from "../../preview/preview-html.ts";
import type { NoPlan } from "../../report/plan/preview-notices.ts";
import { annotations } from "../../report/problems/github.ts";
import type { Planning } from "../../sync/sync.ts";
import type { Console } from "../shell/console.ts";
import { reportError } from "../shell/report-problems.ts";
import { makePage } from "../preview/read.ts";
import { type CiStep, fileForLaterSteps } from "./report.ts";

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
    annotations([problem("ci/preview", `There is no preview. ${shown?.message ?? ""}`)], folder),
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
