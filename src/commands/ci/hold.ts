/** Stops posts at once, in a job that somebody starts by hand. It needs no review: it can only withhold. */

import { Failure } from "../../model/failure.ts";
import { Git } from "../../github/git-branch.ts";
import { holdFacts } from "../../model/holds.ts";
import { heldNowText } from "../../problems/hold-texts.ts";
import { applyDocument, applyMarkdown } from "../../report/outcomes/apply.ts";
import { escapeMarkdown } from "../../report/text/markdown.ts";
import { problemsMarkdown } from "../../report/problems/github.ts";
import { forgetOwnLockfile } from "../../sync/state/project-state.ts";
import { holdNow } from "../hold/run.ts";
import { baseOfJob, comparedInJob } from "../project/base.ts";
import { parseOnly } from "../shell/command.ts";
import { reportError } from "../shell/report-problems.ts";
import { instantOf } from "../shell/trial-time.ts";
import { heldConditions, withoutInputs } from "./inputs.ts";
import { type CiResult, type CiStep, problemCounts, resultName } from "./report.ts";

export async function holdStep(step: CiStep): Promise<CiResult> {
  const { job, inputs, project, shell, flags, console } = step;
  const timezone = project.config.timezone ?? "UTC";
  const only = parseOnly(heldConditions(inputs)) ?? {};
  if (inputs.reason.trim() === "")
    throw new Failure("ci/input", "The input reason is empty.", "Write why you stop the posts.");
  const until = inputs.until === undefined ? undefined : instantOf("The input until", inputs.until, timezone);
  await forgetOwnLockfile(project);
  const git = new Git(project.root, withoutInputs(shell.env));
  const compared = await comparedInJob(project, job, await baseOfJob(git, job, project), git);
  const run = { ...step, compared, flags: { ...flags, later: false, yes: true, format: "text" as const } };
  const { exit, hold, kept, applied } = await holdNow(run, {
    only,
    reason: inputs.reason.trim(),
    by: job.actor || undefined,
    until,
    branch: job.refName,
  });
  const problems = kept.failure === undefined ? [] : reportError(kept.failure, console);
  const rows = { changes: applied?.changes ?? [], timezone, interrupted: exit === 130 };
  return {
    exit,
    annotations: problems,
    markdown: [
      ...(problems.length === 0 ? [] : [problemsMarkdown(problems, { title: "Not pushed" })]),
      `${escapeMarkdown(heldNowText(holdFacts(hold), kept.branch))}\n`,
      applyMarkdown(applyDocument(applied?.result), rows),
    ].join("\n"),
    outputs: { result: resultName(exit, "held"), ...problemCounts(problems) },
    isNews: true,
  };
}
