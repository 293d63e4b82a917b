/**
 * The steps of `plan`: read the calendars, ask the service, print the plan, save it. `plan --watch` and `ci` use parts
 * of it.
 */

import { relative, resolve } from "node:path";
import type { SelectionOptions } from "../../calendars/select.ts";
import { shellArgument } from "../../model/command-line.ts";
import { waitMsFor } from "../../model/clock.ts";
import type { Plan } from "../../model/plan.ts";
import { type PlanFormat, formatPlan } from "../../report/plan/plan-formats.ts";
import { type PlanView, planView } from "../../report/plan/plan-view.ts";
import { type ProblemFormat, isProblemFormat } from "../../report/problems/problem-formats.ts";
import { printJson } from "../../report/text/escape.ts";
import { savedPlan } from "../../sync/apply/saved-plan.ts";
import { hashCacheOf } from "../../sync/state/media-caches.ts";
import { type Planning, planCalendars } from "../../sync/sync.ts";
import type { Run } from "../common/command.ts";
import { connect, noteEmbedded } from "../common/connect.ts";
import type { Console } from "../common/console.ts";
import { type GlobalFlags, type OnlyFlag, type RefreshFlag, parseOnly } from "../common/flags.ts";
import { withAddresses } from "../common/media-addresses.ts";
import { writeGenerated } from "../common/output-file.ts";
import { printProblemFormat, showProblems } from "../common/report-problems.ts";
import { openProject } from "../common/project.ts";
import type { ExitCode, Shell } from "../common/shell.ts";

export interface PlanFlags extends OnlyFlag, RefreshFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly format: PlanFormat | ProblemFormat;
  readonly "detailed-exitcode": boolean;
  readonly watch: boolean;
}

/** Plans once. */
export async function runPlanCommand(run: Run<PlanFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const planning = await readPlan(run);
  showProblems(planning, console);
  if (planning.plan !== undefined && flags.out !== undefined)
    await savePlan(planning, flags.out, flags, shell);
  if (isProblemFormat(flags.format)) {
    const { problems, checked } = planning;
    await printProblemFormat(flags.format, { ...checked, problems }, planning.project, shell, console);
  } else await printPlan(planning, flags.format, flags, console);
  if (planning.plan === undefined) return 1;
  if (flags.format === "text" && console.isLive) noteEmbedded(run, planning.opened?.service);
  if (flags.format === "text") console.next(afterPlan(planning.plan, flags.out));
  return flags["detailed-exitcode"] && planning.plan.changes.length > 0 ? 2 : 0;
}

/** Reads the calendars and asks the service. Writes nothing, and closes the service. */
export async function readPlan(
  run: Run<Pick<PlanFlags, "calendar" | "only" | "refresh-media">>,
): Promise<Planning> {
  const opened = await openProject(run);
  const { project, flags, shell } = opened;
  // No cache is saved: a plan writes nothing that was not requested.
  const how = { refresh: flags["refresh-media"], keeps: false };
  const planning = await withAddresses(opened, how, (addresses) =>
    planCalendars(
      { ...narrowingOf(flags), cwd: shell.cwd },
      { addresses, hashes: hashCacheOf(project, shell.clock) },
      { project, clock: shell.clock, open: () => connect(opened, "read-only") },
    ),
  );
  await planning.opened?.close();
  return planning;
}

function afterPlan({ changes, guards }: Plan, out: string | undefined): string | undefined {
  // If apply would refuse, the plan itself says what to do.
  if (changes.length === 0 || guards.length > 0) return undefined;
  return out === undefined ? "plancast apply" : `plancast apply --plan ${shellArgument(out)}`;
}

/** The scope of the plan, from the flags. */
export function narrowingOf({ calendar, only }: Pick<PlanFlags, "calendar" | "only">): SelectionOptions {
  return { calendars: calendar, only: parseOnly(only) };
}

/** Shows a plan, or the problems that stopped it, in the requested format. */
export async function printPlan(
  planning: Planning,
  format: PlanFormat,
  { verbose }: Pick<GlobalFlags, "verbose">,
  console: Console,
): Promise<void> {
  const { plan, problems, checked } = planning;
  const planned = plan === undefined ? undefined : { plan, view: () => viewOf(planning, plan, { verbose }) };
  const { drafts } = checked;
  console.result(await formatPlan(format, { planned, problems, drafts, verbose, style: console.style }));
}

/** A plan for people, with its cost. */
export function viewOf(
  { project, opened }: Planning,
  plan: Plan,
  { verbose }: Pick<GlobalFlags, "verbose">,
): PlanView {
  const timezone = project.config.timezone ?? "UTC";
  // Apply sends the requests of this plan again, and then those for the changes.
  const reads = opened?.requests() ?? 0;
  const expectedMs = opened === undefined ? 0 : waitMsFor(opened.pace(), plan.requests + reads);
  return planView(plan, { timezone, kept: verbose, reads, expectedMs });
}

/** Writes a plan file for --plan. */
export async function savePlan(
  { plan, problems, project, seen }: Planning,
  out: string,
  { calendar, only, ...flags }: Pick<PlanFlags, "calendar" | "only" | "refresh-media">,
  shell: Shell,
): Promise<void> {
  const { planDocument } = await import("../../report/plan/plan-json.ts");
  const document = planDocument(plan, problems, { verbose: false });
  const calendars = calendar.map((name) => relative(project.root, resolve(shell.cwd, name)));
  const accounts = seen?.accounts;
  const narrowing = { calendars, only, accounts, ...(flags["refresh-media"] ? { refresh_media: true } : {}) };
  await writeGenerated(out, printJson(savedPlan(document, narrowing)), "plan", { project, shell });
}
