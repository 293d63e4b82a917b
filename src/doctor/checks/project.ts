/** Checks of the files that people write: plancast.yaml and the calendars. */

import { countFiles } from "../../calendars/check.ts";
import { countRows } from "../../calendars/count-rows.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { hasErrors, placeName } from "../../model/problem.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { countsText } from "../../report/problems/counts-text.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";

export const projectCheck: Check = {
  name: "project",
  looksAt: "`plancast.yaml`, with the place of each mistake.",
  run: ({ project }) => {
    if (project instanceof Failure) return failing(project.message, project.hint);
    if (!(project instanceof ProjectProblems)) return ok(`${project.file} is valid.`);
    const errors = project.problems.filter((each) => hasErrors([each]));
    const first = errors.slice(0, 3).map((each) => `${placeName(each)}: ${each.message}`);
    const more = errors.length > first.length ? ` And ${errors.length - first.length} more.` : "";
    return failing(
      `${first.join(" ")}${more}`,
      "Fix plancast.yaml: `plancast validate` shows the lines. Until then, doctor cannot check calendars and state.",
    );
  },
};

export const calendarsCheck: Check = {
  name: "calendars",
  looksAt: "The number of calendars, posts and problems. `plancast validate` lists them.",
  run: ({ calendars }) => {
    if (calendars === undefined) return skipped(NEEDS_PROJECT);
    if (calendars instanceof Failure) return failing(calendars.message, calendars.hint);
    const { problems } = calendars;
    const files = plural(countFiles(calendars.calendars), "calendar");
    const counts = `${files}, ${countsText(countRows(calendars))}`;
    if (problems.length === 0) return ok(`${counts}, no problems.`);
    const message = `${counts}: ${problemsSummary(problems)}.`;
    const advice = "`plancast validate` shows each one with its place.";
    const hasError = problems.some(({ severity }) => severity === "error");
    return hasError ? failing(message, advice) : warning(message, advice);
  },
};
