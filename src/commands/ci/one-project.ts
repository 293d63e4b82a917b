/** Runs one step of the GitHub Action for one project, as the inputs say. */

import { relative, sep } from "node:path";
import { checkCalendars, countFiles } from "../../calendars/check.ts";
import { countRows } from "../../calendars/count-rows.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { fileLinks } from "../../github/pull-request-files.ts";
import type { Job } from "../../github/runner.ts";
import { Failure } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { DEFAULT_KEY_VARIABLE } from "../../problems/connection-texts.ts";
import { SERVICE_PUBLISHES } from "../../report/outcomes/publish-text.ts";
import { countsText } from "../../report/problems/counts-text.ts";
import { problemsMarkdown } from "../../report/problems/github.ts";
import { problemsText } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import { configuredAddress } from "../../service/connect/open-service.ts";
import { REPOSITORY } from "../../settings/config.ts";
import { refuseEmbedded } from "../project/connect.ts";
import { reportError, sourceLines } from "../shell/report-problems.ts";
import { loadProject, projectFolder } from "../project/project.ts";
import { applyStep } from "./apply.ts";
import { planStep } from "./plan.ts";
import { publishStep } from "./publish.ts";
import { writePreview } from "./preview.ts";
import { type CiResult, type CiStep, problemCounts, stoppedResult } from "./report.ts";

/** A result, and the folder that its files are in: relative to the checkout, empty if they are the same. */
export interface PlacedResult {
  readonly result: CiResult;
  readonly folder: string;
}

/** What a step needs before its project is read. */
export type UnreadStep = Omit<CiStep, "project" | "folder">;

/** Never throws: what ends the run is its result. @param check throws a Failure if the project must not run */
export async function runProject(given: UnreadStep, check = (): void => undefined): Promise<PlacedResult> {
  const { job, flags, shell, console } = given;
  const fromCheckout = (root: string): string => relative(job.workspace, root).split(sep).join("/");
  let folder = "";
  try {
    // A broken plancast.yaml has its problems in this folder, too.
    folder = fromCheckout(await projectFolder(flags, shell));
    const project = await loadProject(flags, shell);
    folder = fromCheckout(project.root);
    check();
    return { result: await stepOf({ ...given, folder, project }), folder };
  } catch (error) {
    const { aborted } = shell.stop;
    return { result: stoppedResult(aborted ? [] : reportError(error, console), aborted), folder };
  }
}

async function stepOf(step: CiStep): Promise<CiResult> {
  const { job, inputs, project, shell } = step;
  if (inputs.command === "validate") return validateStep(step, "");
  if (inputs.command === "plan") {
    const why = withoutSecrets(job, step);
    if (why !== undefined) return validateStep(step, why);
  } else checkMayChange(job);
  if (inputs.command === "publish") return isLeftOut(step) ? LEFT_OUT : publishStep(step);
  refuseEmbedded(project, shell.env, step.part !== undefined);
  return inputs.command === "plan" ? planStep(step) : applyStep(step);
}

/** Whether a service publishes the posts of this project, so that only other projects of the job need this step. */
function isLeftOut({ part, project, shell }: CiStep): boolean {
  return part !== undefined && configuredAddress(project, shell.env) !== REPOSITORY;
}

const LEFT_OUT: CiResult = {
  exit: 0,
  annotations: [],
  markdown: () => SERVICE_PUBLISHES,
  outputs: { result: "nothing" },
  isNews: false,
};

/** Why the job cannot use the service; undefined if it can. */
function withoutSecrets(
  { pullRequest, source, actor, event }: Job,
  { givenKey, shell, project }: CiStep,
): string | undefined {
  if (pullRequest?.isFork === true)
    return "This pull request comes from a fork, which gets no secrets. plancast checks it now, and plans it after the merge.";
  if (source === "fork")
    return `A run on \`${event}\` may contain commits from a fork, so it gets no key. plancast checks them now, and plans them after the merge.`;
  const variable = project.config.service.key_env ?? DEFAULT_KEY_VARIABLE;
  if (actor === "dependabot[bot]" && givenKey === undefined && !shell.env[variable])
    return "Dependabot's pull requests get no secrets. plancast checks this one now, and plans it after the merge.";
  return undefined;
}

/** Refuses the content of a pull request, because it is not merged yet, even if its author may push. */
function checkMayChange({ event, source, isBranch }: Job): void {
  if (source === "merged" && isBranch) return;
  throw new Failure(
    "ci/input",
    `Apply and publish run on a branch, not on ${source === "merged" ? "a tag" : `\`${event}\` of a pull request`}. Nothing was changed.`,
    "Use `command: plan` here, and `command: apply` on pushes to the branch that you publish.",
  );
}

/** Only the offline checks: no service, no key. `note`: why there is no plan; empty if none was requested. */
async function validateStep(step: CiStep, note: string): Promise<CiResult> {
  const { job, inputs, folder, project, shell, console } = step;
  const selection = await selectCalendars(
    project,
    { calendars: inputs.calendars, only: undefined },
    shell.cwd,
  );
  const checked = await checkCalendars(project, selection, shell.clock);
  const { problems, calendars } = checked;
  const preview =
    inputs.command === "plan" ? await writePreview(step, { checked, plan: undefined, problems }, true) : {};
  console.alert(problemsText(problems, sourceLines(calendars), console.errorStyle));
  const files = plural(countFiles(calendars), "calendar");
  const head = `### Checked ${files}${problems.length === 0 ? " without problems" : ""}: ${countsText(countRows(checked))}\n\n${note === "" ? "" : `${note}\n\n`}`;
  const found = { title: "Problems", links: fileLinks(job, folder, new Set()) };
  return {
    exit: hasErrors(problems) ? 1 : 0,
    annotations: problems,
    markdown: (maxLength) =>
      problems.length === 0
        ? head
        : head + problemsMarkdown(problems, { ...found, maxLength: maxLength - head.length }),
    outputs: { result: hasErrors(problems) ? "invalid" : "valid", ...problemCounts(problems), ...preview },
    isNews: problems.length > 0,
  };
}
