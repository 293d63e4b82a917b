import { hasErrors } from "../calendar/problem.ts";
import { checkCalendars } from "../check-calendars.ts";
import { plural } from "../report/plural.ts";
import { problemsMarkdown } from "../report/problems-markdown.ts";
import { problemsText } from "../report/problems-text.ts";
import { selectCalendars } from "../select-calendars.ts";
import type { CiResult } from "./ci-result.ts";
import type { CiStep } from "./ci-run.ts";
import { problemCounts } from "./ci-stopped.ts";
import { sourceLines } from "./source-lines.ts";

/** The offline checks alone: no service, no key. `note`: why there is no plan; empty where none was asked for. */
export async function validateStep(
  { inputs, project, shell, console }: CiStep,
  note: string,
): Promise<CiResult> {
  const selection = await selectCalendars(
    project,
    { calendars: inputs.calendars, only: undefined },
    shell.cwd,
  );
  const checked = await checkCalendars(project, selection, shell.clock);
  const { problems, calendars, rows, drafts } = checked;
  console.alert(problemsText(problems, sourceLines(calendars), console.errorStyle));
  const numbers = `${plural(rows - drafts, "post")} in ${plural(calendars.length, "calendar")}`;
  const head = `### Checked: ${numbers}${problems.length === 0 ? " in order" : ""}\n\n${note === "" ? "" : `${note}\n\n`}`;
  const found = { title: "Problems", maxLength: 0 };
  return {
    exit: hasErrors(problems) ? 1 : 0,
    annotations: problems,
    markdown: (maxLength) =>
      problems.length === 0
        ? head
        : head + problemsMarkdown(problems, { ...found, maxLength: maxLength - head.length }),
    outputs: { result: hasErrors(problems) ? "invalid" : "valid", ...problemCounts(problems) },
    isNews: problems.length > 0,
  };
}
