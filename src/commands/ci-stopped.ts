import type { Problem } from "../calendar/problem.ts";
import { problemsMarkdown } from "../report/problems-markdown.ts";
import type { CiResult } from "./ci-result.ts";

/** What ended a step: problems, or somebody who cancelled the job. */
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

/** How many problems there are, as outputs of the step. */
export function problemCounts(problems: readonly Problem[]): Record<"errors" | "warnings", string> {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { errors: String(errors), warnings: String(problems.length - errors) };
}
