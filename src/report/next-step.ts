import type { Outcome } from "../calendar/outcome.ts";
import { formatDuration } from "./format-duration.ts";

type UnfinishedOutcome = Exclude<Outcome, { status: "done" }>;

const AGAIN = "run plancast apply again";

/** What to do about codes whose way on is known; the service's own codes have no slash. */
const BY_CODE: ReadonlyMap<string, string> = new Map([
  ["validation_error", `Change what the message names in the calendar, then ${AGAIN}.`],
  ["unauthorized", `Check the key in PLANCAST_API_KEY, then ${AGAIN}.`],
  ["service/unauthorized", `Check the key in PLANCAST_API_KEY, then ${AGAIN}.`],
  ["forbidden", `Use a key that may write, then ${AGAIN}.`],
  ["service/forbidden", `Use a key that may write, then ${AGAIN}.`],
  ["platform_error", `Check on the service that the platform is connected, then ${AGAIN}.`],
  ["rate_limit_exceeded", `Wait as long as the service asks, then ${AGAIN}.`],
  ["service/rate-limited", `Wait as long as the service asks, then ${AGAIN}.`],
  ["schedule/past", `Give the row a later time, then ${AGAIN}.`],
  ["apply/half-replaced", `R${AGAIN.slice(1)} at once: no post stands for this row.`],
  ["media/changed", `Check with plancast plan that the file is the one you mean, then ${AGAIN}.`],
]);

/** What the user does about an outcome that is not done. `settleMs`: how long an unknown create is left alone. */
export function nextStep(outcome: UnfinishedOutcome, settleMs: number): string {
  switch (outcome.status) {
    case "failed":
      return (
        BY_CODE.get(outcome.code) ?? `Mend what the message names, then ${AGAIN}; what is done stays done.`
      );
    case "unknown":
      return outcome.action === "cancel"
        ? "Run plancast apply again; a post that is already cancelled counts as done."
        : `Run plancast apply again after ${formatDuration(settleMs)}. It looks for the post before it tries again, ` +
            "so nothing is scheduled twice.";
    case "not_started":
      return "Run plancast apply again to do the rest.";
    default:
      return outcome satisfies never;
  }
}
