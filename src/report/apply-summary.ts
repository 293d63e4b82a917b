import type { ApplyResult, Outcome } from "../calendar/outcome.ts";
import { counted } from "./plural.ts";

/** What an apply did, in numbers; the names are those of its JSON document. */
export interface ApplySummary {
  readonly created: number;
  readonly replaced: number;
  readonly cancelled: number;
  readonly adopted: number;
  /** Files. */
  readonly uploaded: number;
  readonly failed: number;
  readonly unknown: number;
  readonly not_started: number;
}

export function applySummary(result: ApplyResult | undefined): ApplySummary {
  const outcomes = result?.outcomes ?? [];
  const done = (action: Outcome["action"]): number =>
    outcomes.filter((each) => each.status === "done" && each.action === action).length;
  const ended = (status: Outcome["status"]): number =>
    outcomes.filter((each) => each.status === status).length;
  return {
    created: done("create"),
    replaced: done("replace"),
    cancelled: done("cancel"),
    adopted: done("adopt"),
    uploaded: result?.uploaded ?? 0,
    failed: ended("failed"),
    unknown: ended("unknown"),
    not_started: ended("not_started"),
  };
}

/** What `appliedText` says of a run that had nothing to do. */
export const NOTHING = "Applied: nothing";

/** `Applied: 2 created; 1 failed`. */
export function appliedText(result: ApplyResult): string {
  const summary = applySummary(result);
  const done = counted([
    [summary.created, "created"],
    [summary.replaced, "replaced"],
    [summary.cancelled, "cancelled"],
    [summary.adopted, "adopted"],
    [summary.uploaded, summary.uploaded === 1 ? "file uploaded" : "files uploaded"],
  ]);
  const notDone = counted([
    [summary.failed, "failed"],
    [summary.unknown, "unknown"],
    [summary.not_started, "not started"],
  ]);
  return `${done === "" ? NOTHING : `Applied: ${done}`}${notDone === "" ? "" : `; ${notDone}`}`;
}
