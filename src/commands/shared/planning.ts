/** What plan and apply have in common: check the calendars, and only when they are in order ask the service. */

import { type CheckedCalendars, type MediaSources, checkCalendars } from "../../calendars/check.ts";
import { type SelectionOptions, selectCalendars } from "../../calendars/select.ts";
import { Failure } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { problemsText } from "../../report/problems/problems-text.ts";
import { plural } from "../../report/text/numbers.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import { type Planned, checkPlatforms, planChanges } from "../../sync/plan-changes.ts";
import { type ReadState, readState } from "../../sync/state/project-state.ts";
import type { Console } from "./console.ts";
import { sourceLines } from "./print-problems.ts";
import type { Shell } from "./shell.ts";

export interface Planning extends Planned {
  readonly project: Project;
  readonly checked: CheckedCalendars;
  /** Undefined when the calendars were not in order, so that the service was not asked. */
  readonly opened: OpenedService | undefined;
  readonly state: ReadState | undefined;
}

export interface PlanningOptions {
  readonly media: MediaSources;
  readonly allowCancels?: number | undefined;
  /** Done before anything is asked of the service; when it throws there is no plan. */
  readonly prepare?: (opened: OpenedService) => Promise<void>;
}

/**
 * Makes a plan. The caller closes `opened`; where planning itself fails it is closed here.
 */
export async function readPlanning(
  project: Project,
  narrowing: SelectionOptions,
  shell: Shell,
  open: () => Promise<OpenedService>,
  { media, ...options }: PlanningOptions,
): Promise<Planning> {
  const selection = await selectCalendars(project, narrowing, shell.cwd);
  const checked = await checkCalendars(project, selection, shell.clock, media);
  return planChecked(project, checked, shell, open, options);
}

/** The same for calendars that are checked already. */
export async function planChecked(
  project: Project,
  checked: CheckedCalendars,
  shell: Shell,
  open: () => Promise<OpenedService>,
  { allowCancels, prepare }: Omit<PlanningOptions, "media"> = {},
): Promise<Planning> {
  if (hasErrors(checked.problems)) {
    const problems = [...checked.problems, ...(await platformProblems(checked, project, open))];
    return {
      project,
      checked,
      problems,
      plan: undefined,
      lockfile: undefined,
      opened: undefined,
      state: undefined,
    };
  }
  const opened = await open();
  try {
    await prepare?.(opened);
    const { service, pace } = opened;
    const state = await readState(project, service.origin);
    const options = { service, lockfile: state.lockfile, clock: shell.clock, pace, allowCancels };
    return { ...(await planChanges(project, checked, options)), project, checked, opened, state };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * The platforms of calendars that are not in order anyway, so that one run shows all that is wrong. Where the service
 * cannot be asked, that is no matter yet: the calendars are to be mended first.
 */
async function platformProblems(
  { posts }: CheckedCalendars,
  project: Project,
  open: () => Promise<OpenedService>,
): Promise<readonly Problem[]> {
  try {
    const opened = await open();
    try {
      return await checkPlatforms(posts, project, opened.service);
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Problems are about the run, so they go to stderr; warnings not at all when quiet. */
export function showProblems({ problems, checked }: Planning, console: Console): void {
  const leftOut = checked.filteredRows.count(checked.inScope);
  if (leftOut > 0)
    console.note(`${plural(leftOut, "row")} left out by the filter; what they own is left alone.\n`);
  if (problems.length === 0) return;
  const text = `${problemsText(problems, sourceLines(checked.calendars), console.errorStyle)}\n`;
  if (hasErrors(problems)) console.alert(text);
  else console.note(text);
}
