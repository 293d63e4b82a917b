/**
 * Rows that somebody stopped in a sheet. A stop can only withhold, so nobody reviews it: the job pushes a hold, and cancels
 * the posts of these rows, at most `safety.max_cancels` in a run. All other changes of a sheet wait for a review.
 */

import { readUsableLockfile } from "../../calendars/project.ts";
import { readContents } from "../../calendars/read-calendar.ts";
import { settingsFor } from "../../calendars/select.ts";
import { type StoppedRow, stoppedRows } from "../../calendars/stopped-rows.ts";
import { Git } from "../../github/git-branch.ts";
import { groupBy } from "../../model/data.ts";
import { Failure } from "../../model/failure.ts";
import { type Hold, holdFacts, isActive, parseHolds } from "../../model/holds.ts";
import { rowIdsOf } from "../../model/post.ts";
import { type Problem, hasErrors, problem } from "../../model/problem.ts";
import { type Only, foldValue } from "../../model/row-filter.ts";
import { heldNowText, tooManyStopsText } from "../../problems/hold-texts.ts";
import { applyDocument, applyMarkdown } from "../../report/outcomes/apply.ts";
import { escapeMarkdown } from "../../report/text/markdown.ts";
import type { Project } from "../../settings/config.ts";
import { forgetOwnLockfile } from "../../sync/state/project-state.ts";
import { holdNow } from "../hold/run.ts";
import { baseOfJob, comparedInJob } from "../project/base.ts";
import type { FetchedSheet } from "../project/fetch-sheets.ts";
import { reportError } from "../shell/report-problems.ts";
import { withoutInputs } from "./inputs.ts";
import type { CiStep } from "./report.ts";

/** What was stopped in one project. */
export interface Stops {
  readonly markdown: string;
  readonly problems: readonly Problem[];
}

/** Undefined if nobody stopped a row. The checkout is the main branch. */
export async function stopRows(
  step: Omit<CiStep, "part" | "reviewed">,
  sheets: readonly FetchedSheet[],
): Promise<Stops | undefined> {
  const { project, shell, job, flags } = step;
  const found = (await Promise.all(sheets.map((each) => stoppedIn(project, each)))).flat();
  if (found.length === 0) return undefined;
  await forgetOwnLockfile(project);
  const git = new Git(project.root, withoutInputs(shell.env));
  const compared = await comparedInJob(project, job, await baseOfJob(git, job, project), git);
  const holds = parseHolds(compared.holds?.text ?? "");
  const now = shell.clock.now();
  const open = found.filter(({ only }) => !holds.some((hold) => isActive(hold, now) && covers(hold, only)));
  if (open.length === 0) return undefined;
  const chosen = await withinLimit(project, open);
  const problems = open.length === chosen.length ? [] : [tooManyStops(project, open.length - chosen.length)];
  const markdown: string[] = [];
  const run = { ...step, compared, flags: { ...flags, later: false, yes: true, format: "text" as const } };
  for (const only of conditionsOf(chosen)) {
    try {
      const wanted = { only, reason: "Stopped in the sheet", by: undefined, until: undefined };
      const { exit, hold, kept, applied } = await holdNow(run, { ...wanted, branch: job.refName });
      if (kept.failure !== undefined) problems.push(...reportError(kept.failure, step.console));
      const timezone = project.config.timezone ?? "UTC";
      const rows = { changes: applied?.changes ?? [], timezone, interrupted: exit === 130 };
      markdown.push(`${escapeMarkdown(heldNowText(holdFacts(hold), kept.branch))}\n`);
      markdown.push(applyMarkdown(applyDocument(applied?.result), rows));
      if (exit !== 0 && !hasErrors(problems)) problems.push(...notCancelled(exit));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push(...reportError(error, step.console));
    }
  }
  return { markdown: markdown.join("\n"), problems };
}

function notCancelled(exit: number): readonly Problem[] {
  const message = `The rows are held, but not all of their posts were cancelled (exit code ${exit}). Run the workflow again, or cancel them on the service.`;
  return [problem("hold/not-cancelled", message)];
}

async function stoppedIn(
  project: Project,
  { copy: { file }, before, contents }: FetchedSheet,
): Promise<readonly StoppedRow[]> {
  if (before === undefined || contents === undefined) return [];
  const { settings } = settingsFor(project, file);
  const [copy, sheet] = [
    await readContents(file, before, settings),
    await readContents(file, contents, settings),
  ];
  return stoppedRows(copy.rows, sheet.rows, settings);
}

/** Whether a hold already withholds what other conditions fit. */
function covers(hold: Pick<Hold, "only">, only: Only): boolean {
  const held = Object.entries(hold.only);
  return held.every(([name, values]) => {
    const wanted = [only[name] ?? []].flat();
    const all = new Set([values].flat().map(foldValue));
    return wanted.length > 0 && wanted.every((value) => all.has(foldValue(value)));
  });
}

/** The first rows whose posts are at most `safety.max_cancels`. */
async function withinLimit(project: Project, rows: readonly StoppedRow[]): Promise<readonly StoppedRow[]> {
  const keys = Object.keys((await readUsableLockfile(project))?.posts ?? {});
  let left = project.config.safety.max_cancels;
  return rows.filter(({ row }) => {
    const { id } = row.cells;
    const posts = typeof id === "string" ? keys.filter((key) => rowIdsOf(key).includes(id)).length : 1;
    if (posts > left) return false;
    left -= posts;
    return true;
  });
}

function tooManyStops({ config }: Project, rows: number): Problem {
  return problem("guard/too-many-cancels", tooManyStopsText(rows, config.safety.max_cancels));
}

/** One hold for all rows with an id, and one for all others. */
function conditionsOf(rows: readonly StoppedRow[]): readonly Only[] {
  const groups = groupBy(rows, ({ only }) => Object.keys(only).join());
  return [...groups.values()].map((group) => {
    const [name = ""] = Object.keys(group[0]?.only ?? {});
    return { [name]: group.flatMap(({ only }) => only[name] ?? []) };
  });
}
