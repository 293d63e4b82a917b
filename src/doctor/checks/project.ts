import { Failure, ProjectProblems } from "../../model/failure.ts";
import { hasErrors, placeName } from "../../model/problem.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";

export const nodeCheck: Check = ({ node: { version, wanted } }) => {
  const least = wanted.replace(/^>=/, "");
  if (!isOlder(version, least)) return ok("node", `Node ${version}.`);
  return failing(
    "node",
    `Node ${version} is too old.`,
    `plancast runs on Node ${least} and later. Update Node.`,
  );
};

function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => text.split(".").map(Number));
  const differing = want?.findIndex((part, index) => part !== (have?.[index] ?? 0)) ?? -1;
  return differing !== -1 && (have?.[differing] ?? 0) < (want?.[differing] ?? 0);
}

export const projectCheck: Check = ({ project: found }) => {
  if (found instanceof Failure) return failing("project", found.message, found.hint);
  if (!(found instanceof ProjectProblems)) return ok("project", `${found.file} is in order.`);
  const errors = found.problems.filter((each) => hasErrors([each]));
  const told = errors.slice(0, 3).map((each) => `${placeName(each)}: ${each.message}`);
  const more = errors.length > told.length ? ` And ${errors.length - told.length} more.` : "";
  return failing(
    "project",
    `${told.join(" ")}${more}`,
    "Mend the project file. `plancast validate` shows the lines. Until then calendars and state are not looked at.",
  );
};

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

/** Whatever becomes of it, it is made again: nothing ever has to be done. */
export const mediaCacheCheck: Check = ({ remembered }) => {
  if (remembered === undefined) return skipped("cache", NEEDS_PROJECT);
  if (remembered === "unusable")
    return ok(
      "cache",
      "What was remembered of media files cannot be used; the next validate or apply makes it anew.",
    );
  return ok("cache", `${plural(remembered, "media file")} remembered on this machine.`);
};
