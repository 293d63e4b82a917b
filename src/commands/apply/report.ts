/**
 * What an apply shows: an occasional line about its progress on stderr, and the report at its end. Also the exit code, and
 * the automation after it.
 */

import { findRepository } from "../../disk/git.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { type Clock, type Pace, durationMs, waitMsFor } from "../../model/clock.ts";
import {
  NOTHING_APPLIED,
  applyDocument,
  applyMarkdown,
  applyText,
  pendingText,
} from "../../report/outcomes/apply.ts";
import { progressText } from "../../report/outcomes/progress.ts";
import {
  type TriggerDocument,
  afterApplyText,
  triggerDocument,
} from "../../report/outcomes/write-outcome.ts";
import { missingAdvice, missingRowsText } from "../../problems/plan-texts.ts";
import { failureText } from "../../report/problems/failure-text.ts";
import type { FullService } from "../../service/service.ts";
import type { Config, Project } from "../../settings/config.ts";
import type { ApplyRun } from "../../sync/apply/apply-plan.ts";
import type { Console } from "../shell/console.ts";
import type { GlobalFlags } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";

export type ReportApply = typeof reportApply;

/** Reports an apply, and returns its exit code. */
export async function reportApply(
  result: ApplyRun,
  plan: Plan,
  { root, config }: Pick<Project, "root" | "config">,
  after: TriggerDocument | undefined,
  { format, verbose }: Pick<GlobalFlags, "verbose"> & { readonly format: "text" | "json" | "markdown" },
  console: Console,
): Promise<ExitCode> {
  const document = applyDocument(result, after);
  const { interrupted } = result;
  const rows = { changes: plan.changes, timezone: config.timezone ?? "UTC", interrupted };
  if (format === "json") console.json(document);
  else if (format === "markdown") console.result(applyMarkdown(document, rows));
  else if (result.outcomes.length > 0) {
    const options = { ...rows, settleMs: durationMs(config.safety.settle), verbose };
    console.result(`\n${applyText(document, console.style, options)}`);
  }
  if (after !== undefined) {
    if (format === "text") console.result(afterApplyText(after, console.style));
    else if (after.status !== "done") console.alert(afterApplyText(after, console.errorStyle));
  }
  if (plan.pending.length > 0) console.alert(pendingText(plan.pending));
  if (plan.missing.length > 0) console.alert(failureText(missingFailure(plan), console.errorStyle, console));
  if (result.failure !== undefined) console.alert(failureText(result.failure, console.errorStyle, console));
  const exit = exitCode(result, plan);
  if (exit === 0 && format === "text" && result.outcomes.length > 0)
    console.next(await stepAfter(root, config.lockfile));
  return exit;
}

async function stepAfter(root: string, lockfile: string): Promise<string> {
  const step = (await findRepository(root)) === undefined ? "keep" : "commit";
  return `${step} ${lockfile}: it records which posts belong to this project. plancast status shows what happens to them.`;
}

function missingFailure({ missing, whereMissing }: Plan): Failure {
  return new Failure("apply/missing", missingRowsText(missing), missingAdvice(missing, whereMissing));
}

/** The document of an apply that was stopped before its first change. */
export function printNothingDone(format: string | undefined, console: Console): void {
  if (format === "json") console.json(applyDocument(undefined));
  if (format === "markdown") console.result(NOTHING_APPLIED);
}

/** The worst outcome decides. A create that waits counts as an unknown outcome. */
export function exitCode({ outcomes, interrupted, failure, missing }: ApplyRun, { pending }: Plan): ExitCode {
  if (interrupted) return 130;
  const has = (status: string): boolean => outcomes.some((outcome) => outcome.status === status);
  if (has("unknown") || pending.length > 0) return 3;
  return failure !== undefined || missing > 0 || has("failed") || has("not_started") ? 1 : 0;
}

/**
 * Triggers the automation that plancast.yaml names for after an apply: once, if the run changed something on the
 * service and made all changes. Never throws, because the changes are already made. A run without changes triggers
 * nothing, so repeating a run does not either.
 */
export async function triggerAfterApply(
  result: ApplyRun,
  plan: Plan,
  { automations }: Config,
  service: Pick<FullService, "triggerAutomation">,
): Promise<TriggerDocument | undefined> {
  const named = automations.after_apply;
  if (named === undefined || !result.outcomes.some(mayBeChange)) return undefined;
  const { id, input } = named;
  if (exitCode(result, plan) !== 0) return { automation_id: id, input, status: "not_started" };
  return triggerDocument(id, input, await trigger(named, service));
}

/** An adoption only records an existing post. An unknown outcome may have changed something. */
function mayBeChange({ action, status }: ApplyRun["outcomes"][number]): boolean {
  return (status === "done" || status === "unknown") && action !== "adopt";
}

async function trigger(
  { id, input }: { readonly id: string; readonly input: string },
  service: Pick<FullService, "triggerAutomation">,
): Promise<Parameters<typeof triggerDocument>[2]> {
  try {
    return await service.triggerAutomation(id, input);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: "refused", code: error.code, message: error.message, fatal: true };
  }
}

/** Facts about the requests while they are sent. */
interface Sending {
  /** Requests sent so far. */
  readonly requests: () => number;
  readonly pace: () => Pace;
}

/** A wait that needs no line about the progress, in ms. */
const QUIET_MS = 5_000;

/**
 * Says how far an apply is: only if it takes long, and at most once in every tenth of its changes.
 * @returns to call after each change
 */
export function progressOf(
  { changes, requests: expected }: Plan,
  { requests, pace }: Sending,
  clock: Clock,
  console: Console,
): () => void {
  const total = changes.length;
  const [startedAt, before] = [clock.now(), requests()];
  let [done, toldAt] = [0, startedAt];
  return () => {
    done += 1;
    const now = clock.now();
    if (done % Math.ceil(total / 10) !== 0 || done >= total || now - toldAt < QUIET_MS) return;
    toldAt = now;
    const sent = requests() - before;
    const leftMs = waitMsFor(pace(), Math.max(0, expected - sent));
    const perMinute = Math.round((sent * 60_000) / (now - startedAt));
    console.note(`${progressText({ done, total, leftMs, perMinute })}\n`);
  };
}
