/** Publish in a job: sends what is due, and reports it to the runner. */

import { publishMarkdown } from "../../report/outcomes/publish-text.ts";
import { reportError } from "../shell/report-problems.ts";
import { publishWith } from "../publish/run.ts";
import { type CiResult, type CiStep, problemCounts, resultName } from "./report.ts";

/** How long after its time a post may still be published. */
const LATE = "2h";

export async function publishStep(step: CiStep): Promise<CiResult> {
  const { ran, exit } = await publishWith(step, { late: LATE, isDryRun: false });
  const { tasks, failure } = ran;
  const problems = failure === undefined ? [] : reportError(failure, step.console);
  return {
    exit,
    annotations: problems,
    markdown: (maxLength) =>
      publishMarkdown(tasks, step.project.config.timezone ?? "UTC").slice(0, maxLength),
    outputs: {
      result: resultName(exit, tasks.length === 0 ? "nothing" : "published"),
      ...problemCounts(problems),
    },
    isNews: tasks.length > 0,
  };
}
