import type { PendingChange, Plan } from "../calendar/change.ts";
import type { Config } from "../calendar/config.ts";
import { durationMs } from "../calendar/duration.ts";
import type { Failure } from "../calendar/failure.ts";
import type { ApplyResult } from "../calendar/outcome.ts";
import { applyDocument } from "../report/apply-json.ts";
import { applyMarkdown } from "../report/apply-markdown.ts";
import { applyText } from "../report/apply-text.ts";
import { failureText } from "../report/failure-text.ts";
import { plural } from "../report/plural.ts";
import { afterApplyText, isTriggered, type AfterApply } from "../report/trigger-outcome.ts";
import type { ApplyOptions } from "./apply.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { ExitCode } from "./shell.ts";

/** What an apply did, and what ended it before its end. */
export type ApplyRun = ApplyResult & { readonly failure: Failure | undefined };

export type ReportApply = typeof reportApply;

/** Reports an apply, and says what it ends with. */
export function reportApply(
  result: ApplyRun,
  plan: Plan,
  config: Config,
  after: AfterApply | undefined,
  { format, verbose }: GlobalFlags & ApplyOptions,
  console: Console,
): ExitCode {
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
    console.next(`commit ${config.lockfile}: it says which posts are this project's.`);
  return exit;
}

function heldText(held: readonly PendingChange[]): string {
  const them = held.length === 1 ? "it" : "them";
  const way = held.some(({ until }) => until !== undefined)
    ? "Run plancast apply again later."
    : "Look at the service, then say what you found with plancast resolve.";
  return `${plural(held.length, "post")} on hold: an earlier run may have scheduled ${them}. ${way}\n`;
}

/** The worst thing that happened decides. A create that is held back is an outcome that is still not known. */
export function exitCode({ outcomes, interrupted, failure }: ApplyRun, { held }: Plan): ExitCode {
  if (interrupted) return 130;
  const has = (status: string): boolean => outcomes.some((outcome) => outcome.status === status);
  if (has("unknown") || held.length > 0) return 3;
  return failure !== undefined || has("failed") || has("not_started") ? 1 : 0;
}
