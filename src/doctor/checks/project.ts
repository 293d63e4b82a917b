import { Failure } from "../../calendar/failure.ts";
import { placeName } from "../../calendar/place-name.ts";
import { hasErrors } from "../../calendar/problem.ts";
import { ProjectProblems } from "../../read/project-problems.ts";
import { ok, failing, type Check } from "../check.ts";

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
