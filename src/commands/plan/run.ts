/**
 * The steps of `plan`: read the calendars, ask the service, print the plan, save it. `plan --watch`, `ci` and `mcp` use
 * parts of it.
 */

import { posix, relative, resolve } from "node:path";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { countRows } from "../../calendars/row-groups.ts";
import type { SelectionOptions } from "../../calendars/select.ts";
import { folderInCheckout } from "../../disk/place.ts";
import { endOfRun, waitMsFor } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { shellArgument } from "../../model/text.ts";
import { unknownMentions } from "../../networks/unknown-mentions.ts";
import { type PlanFormat, formatPlan } from "../../report/plan/plan-formats.ts";
import { planDocument } from "../../report/plan/plan-json.ts";
import { type PlanView, planView } from "../../report/plan/plan-view.ts";
import { printJson } from "../../report/text/escape.ts";
import { isCi } from "../../settings/environment.ts";
import { savedPlan } from "../../sync/apply/saved-plan.ts";
import type { Project } from "../../settings/config.ts";
import { hashCacheOf } from "../../sync/state/media-caches.ts";
import { type Planning, planCalendars } from "../../sync/sync.ts";
import { USER_AGENT } from "../../model/version.ts";
import { readCompared } from "../project/base.ts";
import { connect, noteEmbedded, readsOf } from "../project/connect.ts";
import { withAddresses } from "../project/media.ts";
import { writeGenerated } from "../project/written-files.ts";
import { openProject } from "../project/project.ts";
import {
  type GlobalFlags,
  type OnlyFlag,
  type OnlyValidFlag,
  type ProjectRun,
  type RefreshFlag,
  type Run,
  parseOnly,
} from "../shell/command.ts";
import type { Console } from "../shell/console.ts";
import { showProblems } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type NowFlag, trialClock } from "../shell/trial-time.ts";

export interface PlanFlags extends OnlyFlag, OnlyValidFlag, RefreshFlag, NowFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly format: PlanFormat;
  readonly "detailed-exitcode": boolean;
  readonly short: boolean;
  readonly watch: boolean;
}

/** Plans once. */
export async function runPlanCommand(run: Run<PlanFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  if (flags.short && flags.format !== "text")
    throw new Failure(
      "usage/arguments",
      `--short is for text, but --format is ${flags.format}.`,
      "Leave out one of the two.",
    );
  const planning = await readPlan(run);
  showProblems(planning, console);
  if (planning.plan !== undefined && flags.out !== undefined)
    await savePlan(planning, flags.out, flags, shell);
  await printPlan(planning, flags.format, flags, console);
  if (planning.plan === undefined) return 1;
  if (flags.format === "text" && console.isLive)
    noteEmbedded(run, planning.project, planning.opened?.service);
  if (flags.format === "text" && flags.now === undefined) console.next(afterPlan(planning.plan, flags.out));
  const { changes, missing } = planning.plan;
  return flags["detailed-exitcode"] && changes.length + missing.length > 0 ? 2 : 0;
}

/** Reads the calendars and asks the service. Writes nothing, and closes the service. */
export async function readPlan(
  run: Run<Pick<PlanFlags, "calendar" | "only" | "refresh-media"> & Partial<NowFlag & OnlyValidFlag>>,
): Promise<Planning> {
  const opened = await openProject(run);
  const { project, flags, shell } = opened;
  // A plan writes only downloads and what was requested.
  const isTrial = flags.now !== undefined;
  const clock = isTrial ? trialClock(flags.now, project, shell.clock) : shell.clock;
  const how = { refresh: flags["refresh-media"] };
  const planned = await withAddresses(opened, how, async (addresses) =>
    planCalendars(
      { ...narrowingOf(flags), cwd: shell.cwd },
      { addresses, hashes: hashCacheOf(project, shell.clock) },
      {
        project,
        clock,
        isTrial,
        onlyValid: flags["only-valid"] === true,
        compared: opened.compared ?? (await readCompared(project, shell.env)),
        open: () => connect(opened, "read-only"),
      },
    ),
  );
  await planned.opened?.close();
  return withUnknownMentions(opened, planned);
}

/** With warnings about mentions that nobody has, if plancast publishes the posts itself. */
export async function withUnknownMentions(
  { shell, project }: Pick<ProjectRun, "shell" | "project">,
  planning: Planning,
): Promise<Planning> {
  const { accounts } = project.config;
  if (planning.plan === undefined) return planning;
  const servers = new Set(
    Object.values(accounts).flatMap((each) => ("server" in each ? [new URL(each.server).origin] : [])),
  );
  const found = await unknownMentions(planning.plan, {
    accounts,
    userAgent: USER_AGENT,
    stop: shell.stop,
    // A pull request could name a server in the network of the job.
    ...(isCi(shell.env) ? {} : { allowsPages: ({ origin }: URL) => servers.has(origin) }),
  });
  return { ...planning, problems: [...planning.problems, ...found] };
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
  { verbose, short, now }: Pick<PlanFlags & GlobalFlags, "verbose" | "short"> & Partial<NowFlag>,
  console: Console,
): Promise<void> {
  const { plan, problems, checked } = planning;
  const planned = plan === undefined ? undefined : { plan, view: () => viewOf(planning, plan, { verbose }) };
  const counts = countRows(checked, problems);
  const { style } = console;
  console.document(await formatPlan(format, { planned, problems, counts, verbose, short, style, now }));
}

/**
 * A plan for people, with its cost.
 * @param hasRead whether apply has already sent the requests of this plan. Otherwise, it sends them again.
 */
export function viewOf(
  { project, opened, checked: { assumptions } }: Planning,
  plan: Plan,
  { verbose, hasRead = false }: Pick<GlobalFlags, "verbose"> & { readonly hasRead?: boolean },
): PlanView {
  const reads = readsOf(opened);
  const requests = plan.requests + (hasRead ? 0 : (reads ?? 0));
  return planView(plan, {
    timezone: project.config.timezone ?? "UTC",
    kept: verbose,
    reads,
    isLeast: opened?.service.readsBack === true,
    expectedMs: opened === undefined ? 0 : waitMsFor(opened.pace(), requests),
    endsAfter: opened === undefined ? undefined : endOfRun(opened.pace(), requests),
    assumptions,
  });
}

/** Writes a plan file for --plan. */
export async function savePlan(
  planning: Planning,
  out: string,
  {
    calendar,
    only,
    now,
    ...flags
  }: Pick<PlanFlags, "calendar" | "only" | "refresh-media"> & Partial<NowFlag & OnlyValidFlag>,
  shell: Shell,
): Promise<void> {
  const { project } = planning;
  const file = await planFile(planning, {
    calendars: calendar.map((name) => relative(project.root, resolve(shell.cwd, name))),
    only,
    ...(now === undefined ? {} : { now }),
    ...(flags["only-valid"] === true ? { only_valid: true } : {}),
    ...(flags["refresh-media"] ? { refresh_media: true } : {}),
  });
  await writeGenerated(out, printJson(file), "plan", { project, shell });
}

/** Two projects may be in one folder, or each in the root of its own repository. */
async function projectMark({ root, file, config }: Project): Promise<string> {
  const path = posix.join(await folderInCheckout(root), file === PROJECT_FILE ? "" : file);
  return [path === "." ? "" : path, config.project ?? ""].filter((part) => part !== "").join(": ");
}

/** The plan in the form of a plan file. @param limits what it was limited by */
export async function planFile(
  {
    plan,
    problems,
    project,
    opened,
    seen,
  }: Pick<Planning, "plan" | "problems" | "project" | "opened" | "seen">,
  limits: Parameters<typeof savedPlan>[1],
): Promise<object> {
  return savedPlan(planDocument(plan, problems, { verbose: false }), {
    ...limits,
    accounts: seen?.accounts,
    project: await projectMark(project),
    ...(opened === undefined ? {} : { service: opened.service.origin }),
  });
}
