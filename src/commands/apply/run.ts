/** The steps of `apply`: take the run lock, plan again, stop at guards, ask, run, report. */

import { join } from "node:path";
import type { WebMedia } from "../../media/web-media.ts";
import { Failure } from "../../model/failure.ts";
import type { ApplyResult, MissingRow, Plan } from "../../model/plan.ts";
import { otherRecreatesText } from "../../problems/plan-texts.ts";
import { guardAdvice, guardFinding } from "../../report/plan/decisions.ts";
import { planText } from "../../report/plan/plan-text.ts";
import type { Style } from "../../report/text/style.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import { type SavedPlan, checkUnchanged, readSavedPlan, toSavedPlan } from "../../sync/apply/saved-plan.ts";
import { isCi } from "../../settings/environment.ts";
import { hashCacheOf } from "../../sync/state/media-caches.ts";
import { type LockOptions, acquireRunLock, acquireSharedRunLock } from "../../sync/state/run-lock.ts";
import { withRecreated } from "../../sync/plan/make-plan.ts";
import { type Planning, applyPlan, planCalendars } from "../../sync/sync.ts";
import {
  type OnlyFlag,
  type OnlyValidFlag,
  type ProjectRun,
  type RefreshFlag,
  type Run,
  confirmChange,
  parseOnly,
} from "../shell/command.ts";
import { readCompared } from "../project/base.ts";
import { planFile, viewOf, withUnknownMentions } from "../plan/run.ts";
import { connect, noteEmbedded, refuseEmbedded } from "../project/connect.ts";
import { withAddresses } from "../project/media.ts";
import { loadProject } from "../project/project.ts";
import { showProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { type ReportApply, progressOf, printNothingDone, reportApply, triggerAfterApply } from "./report.ts";

/** What to apply, and how to report it. */
export interface ApplyRunFlags extends OnlyFlag, Partial<OnlyValidFlag>, RefreshFlag {
  readonly calendar: string[];
  readonly plan: string | undefined;
  readonly yes: boolean;
  readonly format: "text" | "json" | "markdown";
  readonly "allow-cancels": number | undefined;
  readonly "allow-recreates": number | undefined;
}

/** Inputs of a run of apply. */
interface ApplyWork extends Run<ApplyRunFlags> {
  readonly lockOptions: LockOptions;
  /** Reports the result and returns the exit code. Default: the usual report. */
  readonly report: ReportApply | undefined;
  /** Whether a later step of the job commits the files that apply writes. */
  readonly isCommittedLater?: boolean;
  /** Keys of the missing rows that reviewed plans showed. Default: all of a saved plan. */
  readonly recreates?: ReadonlySet<string>;
  /** Hash of a plan that the output already has. */
  readonly shown?: string;
  /**
   * Whether somebody confirmed exactly this plan; throws a Failure if nobody can. Default: `--yes`, or a person at this
   * terminal.
   */
  readonly checkConfirmed?: (planning: Planning, plan: Plan) => Promise<boolean>;
  /** For a hold: only what it withholds. */
  readonly narrowed?: (plan: Plan) => Plan;
}

type ProjectWork = ApplyWork & ProjectRun<ApplyRunFlags>;

/** Applies while it holds the run lock: for `plancast apply`, and for the apply step of `plancast ci`. */
export async function applyLocked(work: ApplyWork): Promise<ExitCode> {
  const { flags, shell, console, lockOptions } = work;
  const project = await loadProject(flags, shell, work.compared);
  if (isCi(shell.env)) refuseEmbedded(project, shell.env);
  const lock = await acquireRunLock(project.state, lockOptions);
  try {
    const exit = await applyPlanned({ ...work, project });
    if (exit === "nothing-done") printNothingDone(flags.format, console);
    return exit === "nothing-done" ? 1 : exit;
  } finally {
    await lock.release();
  }
}

/** Returns `nothing-done` if the run was refused before its first change. */
async function applyPlanned(work: ProjectWork): Promise<ExitCode | "nothing-done"> {
  const { flags, shell } = work;
  const saved = flags.plan === undefined ? undefined : await readSavedPlan(flags.plan, shell.cwd);
  const refresh = flags["refresh-media"] || saved?.refresh_media === true;
  return withAddresses(work, { refresh }, (addresses) => applyWith(work, addresses, saved));
}

async function applyWith(
  work: ProjectWork,
  addresses: WebMedia,
  saved: SavedPlan | undefined,
): Promise<ExitCode | "nothing-done"> {
  const { project, flags, shell, console, lockOptions, report = reportApply } = work;
  const kept = saved?.calendars.map((name) => join(project.root, name)) ?? [];
  const narrowing = {
    calendars: flags.calendar.length > 0 ? flags.calendar : kept,
    only: parseOnly(flags.only.length > 0 ? flags.only : (saved?.only ?? [])),
  };
  const open = (): Promise<OpenedService> => connect(work, "read-write");
  const hashes = hashCacheOf(project, shell.clock);
  const { clock, cwd } = shell;
  const planned = await planCalendars(
    { ...narrowing, cwd },
    { addresses, hashes },
    {
      project,
      clock,
      open,
      compared: work.compared ?? (await readCompared(project, shell.env)),
      onlyValid: flags["only-valid"] === true || saved?.only_valid === true,
      // A saved plan was reviewed together with its guards.
      ...(saved === undefined && {
        allowCancels: flags["allow-cancels"],
      }),
      prepare: async ({ share }) => {
        if (share !== undefined) await acquireSharedRunLock(share.lease, lockOptions);
      },
    },
  );
  const { narrowed = (whole: Plan) => whole } = work;
  const plan = planned.plan && narrowed(planned.plan);
  const { opened, lockfile, state } = planned;
  try {
    const planning = await withUnknownMentions(work, planned);
    await hashes.save();
    showProblems(planning, console);
    if (plan === undefined || opened === undefined || lockfile === undefined || state === undefined)
      return "nothing-done";
    if (flags.format === "text" && work.isCommittedLater !== true)
      noteEmbedded(work, planning.project, opened.service);
    if (saved !== undefined) checkUnchanged(saved, plan, await planToSave(planning, plan));
    showPlan(work, planning, plan);
    const chosen = withRecreated(plan, await rowsToRecreate(work, plan, saved), lockfile());
    if (!(await isApproved(work, planning, chosen, saved))) return shell.stop.aborted ? 130 : "nothing-done";
    const result = await applyPlan({
      project,
      plan: chosen,
      lockfile: lockfile(),
      state,
      seen: planning.seen,
      opened,
      addresses,
      clock: opened.clock,
      stop: shell.stop,
      onOutcome: progressOf(chosen, opened, clock, console),
    });
    if (result.outcomes.some(isChangedFile)) await hashes.discard();
    const isApply = work.narrowed === undefined;
    const after = isApply
      ? await triggerAfterApply(result, chosen, project.config, opened.service)
      : undefined;
    return await report(result, chosen, project, after, flags, console);
  } finally {
    await opened?.close();
  }
}

/** The current plan, in the form of `plan --out`. */
export async function planToSave(planning: Parameters<typeof planFile>[0], plan: Plan): Promise<SavedPlan> {
  return toSavedPlan(await planFile({ ...planning, plan }, { calendars: [], only: [] }));
}

/** Whether a file differs from the file in the plan. */
function isChangedFile(outcome: ApplyResult["outcomes"][number]): boolean {
  return outcome.status === "failed" && outcome.code === "media/changed";
}

function showPlan({ flags, shell, console, shown }: ApplyWork, planning: Planning, plan: Plan): void {
  // A person must see what they confirm. A script that asks for JSON and says --yes need not.
  const isAsked = shell.isInteractive && !flags.yes && plan.changes.length + plan.missing.length > 0;
  if (flags.format === "text" && shown !== plan.hash())
    console.result(shownPlan(planning, plan, flags, console.style));
  else if (isAsked) console.alert(shownPlan(planning, plan, flags, console.errorStyle));
}

/**
 * The missing rows that a person decided to create again. Throws a Failure if they allowed another number.
 * @param saved the reviewed plan, which showed its missing rows
 */
async function rowsToRecreate(
  { flags, shell, recreates, checkConfirmed }: ApplyWork,
  { missing }: Plan,
  saved: SavedPlan | undefined,
): Promise<readonly MissingRow[]> {
  const { length } = missing;
  if (length === 0) return [];
  const allowed = flags["allow-recreates"];
  if (allowed !== undefined && allowed !== length)
    throw new Failure("apply/missing", otherRecreatesText(allowed, length));
  if (allowed !== undefined) return missing;
  if (recreates !== undefined) return missing.filter(({ key }) => recreates.has(key));
  if (saved !== undefined) return missing;
  if (flags.yes || !shell.isInteractive || checkConfirmed !== undefined) return [];
  const posts = length === 1 ? "the missing post" : `the ${length} missing posts`;
  return (await shell.confirm(`Create ${posts} again? [y/N] `)) ? missing : [];
}

/** Decides whether to run the plan. Throws a Failure if that is not allowed. */
async function isApproved(
  run: ApplyWork,
  planning: Planning,
  plan: Plan,
  saved: SavedPlan | undefined,
): Promise<boolean> {
  // A saved plan with the same hash was reviewed, including its cancels.
  if (saved === undefined) refuseGuarded(plan);
  if (run.checkConfirmed !== undefined) return run.checkConfirmed(planning, plan);
  if (plan.changes.length === 0) return true;
  return confirmChange("Apply these changes?", run, {
    code: "run/needs-terminal",
    hint: "Review the plan, then run again with --yes.",
  });
}

/** Throws a Failure with what all guards found, and each advice once. */
export function refuseGuarded({ guards }: Plan): void {
  const [first, ...others] = guards;
  if (first === undefined) return;
  const found = [guardFinding(first), ...others.map((each) => `${each.code}: ${guardFinding(each)}`)];
  throw new Failure(first.code, `${found.join(" ")} Nothing was changed.`, guardAdvice(guards));
}

/**
 * The plan without its guards: the failure that follows names them, or a saved plan was reviewed with them.
 * @param isWhole whether to show all changes and their whole texts
 */
export function shownPlan(
  planning: Planning,
  plan: Plan,
  { verbose, isWhole = verbose }: { readonly verbose: boolean; readonly isWhole?: boolean },
  style: Style,
): string {
  const view = viewOf(planning, { ...plan, guards: [] }, { verbose, hasRead: true });
  return planText(view, style, { verbose: isWhole });
}
