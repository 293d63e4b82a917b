/** Results in the sheets of a project, if the job wants them there. */

import type { Problem } from "../../model/problem.ts";
import { writeSheetResults } from "../status/command.ts";
import { reportError } from "../shell/report-problems.ts";
import type { CiStep } from "./report.ts";

/** What could not be written: only warnings, because nothing else depends on it. */
export async function sheetResults(
  step: Omit<CiStep, "part" | "reviewed" | "folder" | "job">,
): Promise<readonly Problem[]> {
  if (!step.inputs.sheet_results || step.shell.stop.aborted) return [];
  try {
    return (await writeSheetResults(step)).map(asWarning);
  } catch (error) {
    return reportError(error, step.console).map(asWarning);
  }
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: "warning" };
}
