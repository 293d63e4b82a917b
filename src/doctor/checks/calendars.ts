import { Failure } from "../../calendar/failure.ts";
import { plural } from "../../report/plural.ts";
import { problemsSummary } from "../../report/problems-text.ts";
import { NEEDS_PROJECT, ok, skipped, warning, failing, type Check } from "../check.ts";

export const calendarsCheck: Check = ({ calendars: found }) => {
  if (found === undefined) return skipped("calendars", NEEDS_PROJECT);
  if (found instanceof Failure) return failing("calendars", found.message, found.hint);
  const { calendars: files, rows, drafts, problems } = found;
  const counts = `${plural(files.length, "calendar")}, ${plural(rows - drafts, "post")}${drafts === 0 ? "" : `, ${plural(drafts, "draft")}`}`;
  if (problems.length === 0) return ok("calendars", `${counts}, in order.`);
  const message = `${counts}: ${problemsSummary(problems)}.`;
  const advice = "`plancast validate` names each with its place.";
  const hasError = problems.some(({ severity }) => severity === "error");
  return hasError ? failing("calendars", message, advice) : warning("calendars", message, advice);
};
