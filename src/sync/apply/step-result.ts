/** Results of the service and of uploads as steps of a change. */

import type { OutcomeReason, StepResult } from "../../model/outcome.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { WriteResult } from "../../service/records.ts";

export function fromService<T>(written: WriteResult<T>): StepResult<T> {
  return "message" in written
    ? { ...written, reason: { kind: "message", message: written.message } }
    : written;
}

/** A step that was not tried because it cannot be done as things are; others may be. */
export function refused(code: Code, reason: OutcomeReason): StepResult<never> {
  return { result: "refused", code, reason, fatal: false };
}
