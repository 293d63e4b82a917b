/** One step of the GitHub Action: does what its inputs say, and tells it wherever GitHub shows something. */
import { relative, sep } from "node:path";
import { EMBEDDED, type Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { readJob, type Job } from "../github/job.ts";
import { applyStep } from "./ci-apply.ts";
import { readInputs, withServiceInputs, type Inputs } from "./ci-inputs.ts";
import { planStep } from "./ci-plan.ts";
import type { CiResult } from "./ci-result.ts";
import { reportResult, reportToRunner } from "./ci-tell.ts";
import { validateStep } from "./ci-validate.ts";
import { stoppedResult } from "./ci-stopped.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { reportError } from "./explain.ts";
import { loadProject } from "./load-project.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** What every step has at hand. */
export interface CiStep {
  readonly job: Job;
  readonly inputs: Inputs;
  readonly project: Project;
  readonly flags: GlobalFlags;
  readonly shell: Shell;
  readonly console: Console;
}

export async function ciRun(given: GlobalFlags, outer: Shell, console: Console): Promise<ExitCode> {
  let inputs: Inputs;
  let job: Job;
  try {
    inputs = readInputs(outer.env);
    job = await readJob(outer.env);
  } catch (error) {
    const result = stoppedResult(reportError(error, console), false);
    await reportToRunner(result, { folder: "", shell: outer, console });
    return result.exit;
  }
  const shell: Shell = { ...outer, env: withServiceInputs(outer.env), isInteractive: false };
  const flags = { ...given, config: given.config ?? (inputs.config || undefined) };
  let folder = "";
  let result: CiResult;
  try {
    const project = await loadProject(flags, shell);
    folder = relative(job.workspace, project.root).split(sep).join("/");
    result = await stepOf({ job, inputs, project, flags, shell, console });
  } catch (error) {
    result = stoppedResult(shell.stop.aborted ? [] : reportError(error, console), shell.stop.aborted);
  }
  await reportResult(result, { job, inputs, folder, shell, console });
  return result.exit;
}

async function stepOf(step: CiStep): Promise<CiResult> {
  const { job, inputs, project, shell } = step;
  if (inputs.command === "validate") return validateStep(step, "");
  if (inputs.command === "plan") {
    const why = withoutSecrets(job, shell.env);
    if (why !== undefined) return validateStep(step, why);
  } else checkMayApply(job);
  if ((shell.env["PLANCAST_BASE_URL"] || project.config.service.url) === EMBEDDED) throw onEmbedded();
  return inputs.command === "plan" ? planStep(step) : applyStep(step);
}

/** Why the job cannot ask the service; undefined where it can. */
function withoutSecrets(
  { pullRequest, actor }: Job,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (pullRequest?.isFork === true)
    return "This pull request comes from a fork, which gets no secrets: it is checked, and planned when it is merged.";
  if (actor === "dependabot[bot]" && !env["PLANCAST_API_KEY"])
    return "Dependabot's pull requests get no secrets: this one is checked, and planned when it is merged.";
  return undefined;
}

/** What a pull request says is not merged yet, whoever may push to it. */
function checkMayApply({ event, pullRequest, isBranch }: Job): void {
  if (pullRequest === undefined && isBranch) return;
  throw new Failure(
    "ci/input",
    `Apply runs on a branch, not on ${pullRequest === undefined ? "a tag" : `\`${event}\``}. Nothing was changed.`,
    "Use `command: plan` here, and `command: apply` on a push to the branch whose calendars are published.",
  );
}

function onEmbedded(): Failure {
  return new Failure(
    "ci/embedded",
    "The project is set to the embedded service, which is gone with this job: nothing would be published.",
    "Set the inputs base-url and api-key, from a variable and a secret of the repository; or name the service in the project file.",
  );
}
