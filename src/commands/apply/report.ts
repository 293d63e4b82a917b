/** The report at the end of an apply, its exit code, and the automation after it. */

import { findRepository } from "../../disk/find-repository.ts";
import { Failure } from "../../model/failure.ts";
import type { ApplyResult } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import { durationMs } from "../../model/units.ts";
import { applyDocument } from "../../report/outcomes/apply-summary.ts";
import { NOTHING_APPLIED, applyMarkdown, applyText, heldText } from "../../report/outcomes/apply-text.ts";
import {
  type AfterApply,
  type Triggered,
  afterApplyText,
  isTriggered,
} from "../../report/outcomes/write-outcome.ts";
import { failureText } from "../../report/problems/failure.ts";
import type { FullService } from "../../service/full-service.ts";
import type { Config, Project } from "../../settings/config.ts";
import type { Console } from "../common/console.ts";
import type { GlobalFlags } from "../common/flags.ts";
import type { ExitCode } from "../common/shell.ts";

/** The result of an apply, and the error that ended it early. */
export type ApplyRun = ApplyResult & { readonly failure: Failure | undefined };

export type ReportApply = typeof reportApply;

/** Reports an apply, and returns its exit code. */
export async function reportApply(
  result: ApplyRun,
  plan: Plan,
  { root, config }: Pick<Project, "root" | "config">,
  after: AfterApply | undefined,
  { format, verbose }: Pick<GlobalFlags, "verbose"> & { readonly format: "text" | "json" | "markdown" },
  console: Console,
): Promise<ExitCode> {
  if (format === "json") console.json(applyDocument(result, after));
  else if (format === "markdown")
    console.result(applyMarkdown(result, plan.changes, config.timezone ?? "UTC", after));
  else if (result.outcomes.length > 0)
    console.result(
      `\n${applyText(result, console.style, { changes: plan.changes, timezone: config.timezone ?? "UTC", settleMs: durationMs(config.safety.settle), verbose })}`,
    );
  if (after !== undefined) {
    if (format === "text") console.result(afterApplyText(after, console.style));
    else if (!isTriggered(after)) console.alert(afterApplyText(after, console.errorStyle));
  }
  if (plan.held.length > 0) console.alert(heldText(plan.held));
  if (result.failure !== undefined) console.alert(failureText(result.failure, console.errorStyle, console));
  const exit = exitCode(result, plan);
  if (exit === 0 && format === "text" && result.outcomes.length > 0)
    console.next(await stepAfter(root, config.lockfile));
  return exit;
}

async function stepAfter(root: string, lockfile: string): Promise<string> {
  const step = (await findRepository(root)) === undefined ? "keep" : "commit";
  return `${step} ${lockfile}: it records which posts belong to this project. plancast status shows what becomes of them.`;
}

/** The document of an apply that was stopped before its first change. */
export function printNothingDone(format: string | undefined, console: Console): void {
  if (format === "json") console.json(applyDocument(undefined));
  if (format === "markdown") console.result(NOTHING_APPLIED);
}

/** The worst outcome decides. A create that waits counts as an unknown outcome. */
export function exitCode({ outcomes, interrupted, failure }: ApplyRun, { held }: Plan): ExitCode {
  if (interrupted) return 130;
  const has = (status: string): boolean => outcomes.some((outcome) => outcome.status === status);
  if (has("unknown") || held.length > 0) return 3;
  return failure !== undefined || has("failed") || has("not_started") ? 1 : 0;
}

/**
 * Triggers the automation that plancast.yaml names for after an apply: once, if the run changed something on the
 * service and made all changes. Never throws, because the changes are already made. A run without changes triggers
 * nothing, so repeating a run does not either.
 */
export async function triggerAfterApply(
  result: ApplyResult & { readonly failure: Failure | undefined },
  plan: Plan,
  { automations }: Config,
  service: Pick<FullService, "triggerAutomation">,
): Promise<AfterApply | undefined> {
  const named = automations.after_apply;
  if (named === undefined || !result.outcomes.some(mayBeChange)) return undefined;
  if (exitCode(result, plan) !== 0) return { ...named, skipped: true };
  return { ...named, written: await trigger(named, service) };
}

/** An adoption only records an existing post. An unknown outcome may have changed something. */
function mayBeChange({ action, status }: ApplyResult["outcomes"][number]): boolean {
  return (status === "done" || status === "unknown") && action !== "adopt";
}

async function trigger(
  { id, input }: { readonly id: string; readonly input: string },
  service: Pick<FullService, "triggerAutomation">,
): Promise<Triggered["written"]> {
  try {
    return await service.triggerAutomation(id, input);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: "refused", code: error.code, message: error.message, fatal: true };
  }
}
