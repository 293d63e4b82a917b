/** The automation that the project file names for after an apply. */
import type { Plan } from "../calendar/change.ts";
import type { Config } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { ApplyResult } from "../calendar/outcome.ts";
import type { AfterApply, Triggered } from "../report/trigger-outcome.ts";
import type { Service } from "../service/service.ts";
import { exitCode } from "./report-apply.ts";

/**
 * Triggers it once, where the run changed something on the service and did all that was to do. Never throws: what was
 * applied stays applied. A run that has nothing to do triggers nothing, so a run that is repeated does not either.
 */
export async function triggerAfterApply(
  result: ApplyResult & { readonly failure: Failure | undefined },
  plan: Plan,
  { automations }: Config,
  service: Pick<Service, "triggerAutomation">,
): Promise<AfterApply | undefined> {
  const named = automations.after_apply;
  if (named === undefined || !result.outcomes.some(mayBeChange)) return undefined;
  if (exitCode(result, plan) !== 0) return { ...named, skipped: true };
  return { ...named, written: await trigger(named, service) };
}

/** An adoption only writes down what was there; what is in doubt may have changed something. */
function mayBeChange({ action, status }: ApplyResult["outcomes"][number]): boolean {
  return (status === "done" || status === "unknown") && action !== "adopt";
}

async function trigger(
  { id, input }: { readonly id: string; readonly input: string },
  service: Pick<Service, "triggerAutomation">,
): Promise<Triggered["written"]> {
  try {
    return await service.triggerAutomation(id, input);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: "refused", code: error.code, message: error.message };
  }
}
