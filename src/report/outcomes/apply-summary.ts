/**
 * The result of an apply in one line, and `apply --format json`: a contract with scripts. Its names and meanings never
 * change; new ones may be added.
 */

import type { ApplyResult, Outcome } from "../../model/outcome.ts";
import { counted } from "../text/numbers.ts";
import { reasonText } from "./outcome-reason.ts";
import { type AfterApply, afterApplyDocument } from "./write-outcome.ts";

/** The result of an apply in numbers, named as in its JSON document. */
interface ApplySummary {
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

function applySummary(result: ApplyResult | undefined): ApplySummary {
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

/** Text of `appliedText` for a run without changes. */
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

interface OutcomeDocument {
  readonly key: string;
  readonly action: Outcome["action"];
  readonly status: Outcome["status"];
  /** Id of the current or cancelled post; only when done. */
  readonly post_id?: string;
  /** Only when failed. */
  readonly code?: string;
  /** Only when failed or unknown. */
  readonly message?: string;
}

export interface ApplyDocument {
  readonly version: 1;
  readonly summary: ApplySummary;
  readonly outcomes: readonly OutcomeDocument[];
  readonly requests: number;
  readonly waited_ms: number;
  /** The result of the automation in plancast.yaml; only if something was applied. */
  readonly automation?: object;
}

/** The document of an apply; `undefined` means that it was refused before its first change. */
export function applyDocument(result: ApplyResult | undefined, after?: AfterApply): ApplyDocument {
  return {
    version: 1,
    summary: applySummary(result),
    outcomes: (result?.outcomes ?? []).map(outcomeDocument),
    requests: result?.requests ?? 0,
    waited_ms: result?.waitedMs ?? 0,
    ...(after !== undefined && { automation: afterApplyDocument(after) }),
  };
}

function outcomeDocument(outcome: Outcome): OutcomeDocument {
  const { key, action, status } = outcome;
  switch (outcome.status) {
    case "done":
      return { key, action, status, post_id: outcome.postId };
    case "failed":
      return { key, action, status, code: outcome.code, message: reasonText(outcome.reason) };
    case "unknown":
      return { key, action, status, message: reasonText(outcome.reason) };
    case "not_started":
      return { key, action, status };
    default:
      return outcome satisfies never;
  }
}
