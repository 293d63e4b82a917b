/** Problems in the formats of other tools. Their paths start at the working folder, as those of such tools do. */
import { relative, sep } from "node:path";
import type { Project } from "../calendar/config.ts";
import type { ProblemFormat } from "../calendar/problem-formats.ts";
import type { Problem } from "../calendar/problem.ts";
import type { CheckedCalendars } from "../check-calendars.ts";
import { VERSION } from "../version.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

export async function printProblemFormat(
  format: ProblemFormat,
  { problems, calendars, inScope }: Pick<CheckedCalendars, "problems" | "calendars" | "inScope">,
  project: Project,
  { cwd }: Pick<Shell, "cwd">,
  console: Console,
): Promise<void> {
  const { formatProblems: problemsIn } = await import("../report/problems-in.ts");
  const files = calendars.map(({ file }) => file).filter(inScope);
  const folder = relative(cwd, project.root).split(sep).join("/");
  console.result(problemsIn(format, problems, { version: VERSION, folder, files }));
}

/** What ended a run before there was a project to read. */
export async function printFailedProblemFormat(
  format: ProblemFormat,
  problems: readonly Problem[],
  console: Console,
): Promise<void> {
  const { formatProblems: problemsIn } = await import("../report/problems-in.ts");
  console.result(problemsIn(format, problems, { version: VERSION, folder: "", files: [] }));
}
