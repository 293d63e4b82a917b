/** Merges the pull request of a fetch, and starts the workflow that applies it. The plan is an artifact by then. */

import { z } from "zod";
import { mergeAndStart } from "../../github/own-pull-request.ts";
import { readJob, writeSummary } from "../../github/runner.ts";
import { MERGED } from "../../report/outcomes/fetched.ts";
import { annotations } from "../../report/problems/github.ts";
import type { Console } from "../shell/console.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { readInputs } from "./inputs.ts";
import { withApi } from "./report.ts";

/** What the run made. */
const earlierStep = z.object({
  INPUT_MERGE_NUMBER: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  INPUT_MERGE_SHA: z.string().regex(/^[0-9a-f]{40,64}$/),
});

export async function ciMerge(shell: Shell, console: Console): Promise<ExitCode> {
  try {
    const [job, inputs] = [await readJob(shell.env), readInputs(shell.env)];
    const { INPUT_MERGE_NUMBER: number, INPUT_MERGE_SHA: sha } = earlierStep.parse(shell.env);
    const workflow = inputs.apply_workflow;
    await withApi({ job, inputs, shell }, (api) => mergeAndStart(api, job, { number, sha, workflow }));
    await writeSummary(shell.env["GITHUB_STEP_SUMMARY"], MERGED);
    return 0;
  } catch (error) {
    console.result(annotations(reportError(error, console), ""));
    return 1;
  }
}
