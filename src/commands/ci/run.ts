/** Runs a step of the GitHub Action for one project or several, and reports it everywhere GitHub shows something. */

import { type Job, readJob } from "../../github/runner.ts";
import { ReviewedPlans } from "../../github/reviewed-plans.ts";
import type { Console } from "../shell/console.ts";
import type { GlobalFlags } from "../shell/flags.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type Inputs, keyInput, readInputs, withServiceInputs } from "./inputs.ts";
import { runProject } from "./one-project.ts";
import { openApi, reportResult, reportToRunner, stoppedResult } from "./report.ts";
import { runProjects } from "./several-projects.ts";

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
  const around = { job, inputs, shell, console };
  let opened: ReturnType<typeof openApi> | undefined;
  const reviewed = new ReviewedPlans(() => (opened ??= openApi(around)).api, job, inputs.name);
  try {
    const { result, folder } =
      inputs.projects.length === 0
        ? await runProject({ ...around, flags, reviewed, part: undefined, givenKey: keyInput(shell.env) })
        : await runProjects({ ...around, flags, reviewed });
    await reportResult(result, { ...around, folder });
    return result.exit;
  } finally {
    await opened?.close();
  }
}
