import { Failure, ProjectProblems } from "../../model/failure.ts";
import { hasErrors, placeName } from "../../model/problem.ts";
import { type Check, failing, ok } from "../check.ts";

export const projectCheck: Check = {
  name: "project",
  looksAt: "The project file, with the places of what is wrong.",
  run: ({ project: found }) => {
    if (found instanceof Failure) return failing(found.message, found.hint);
    if (!(found instanceof ProjectProblems)) return ok(`${found.file} is in order.`);
    const errors = found.problems.filter((each) => hasErrors([each]));
    const told = errors.slice(0, 3).map((each) => `${placeName(each)}: ${each.message}`);
    const more = errors.length > told.length ? ` And ${errors.length - told.length} more.` : "";
    return failing(
      `${told.join(" ")}${more}`,
      "Mend the project file. `plancast validate` shows the lines. Until then calendars and state are not looked at.",
    );
  },
};
