import { Failure } from "../../model/failure.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";

export const calendarsCheck: Check = {
  name: "calendars",
  looksAt: "How many calendars, posts and problems. `plancast validate` names each.",
  run: ({ calendars: found }) => {
    if (found === undefined) return skipped(NEEDS_PROJECT);
    if (found instanceof Failure) return failing(found.message, found.hint);
    const { calendars: files, rows, drafts, problems } = found;
    const counts = `${plural(files.length, "calendar")}, ${plural(rows - drafts, "post")}${drafts === 0 ? "" : `, ${plural(drafts, "draft")}`}`;
    if (problems.length === 0) return ok(`${counts}, in order.`);
    const message = `${counts}: ${problemsSummary(problems)}.`;
    const advice = "`plancast validate` names each with its place.";
    const hasError = problems.some(({ severity }) => severity === "error");
    return hasError ? failing(message, advice) : warning(message, advice);
  },
};
