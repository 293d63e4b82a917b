/** `apply --format json`: the contract with scripts. Names and meanings here are never changed, only added to. */
import type { ApplyResult, Outcome } from "../calendar/outcome.ts";
import { afterApplyDocument, type AfterApply } from "./trigger-outcome.ts";
import { applySummary, type ApplySummary } from "./apply-summary.ts";

interface OutcomeDocument {
  readonly key: string;
  readonly action: Outcome["action"];
  readonly status: Outcome["status"];
  /** Of the post as it is now, or that was cancelled; only when done. */
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
  /** What became of the automation that the project file names; only where something was applied. */
  readonly automation?: object;
}

/** The document of an apply; `undefined` stands for one that was refused before its first change. */
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
      return { key, action, status, code: outcome.code, message: outcome.message };
    case "unknown":
      return { key, action, status, message: outcome.message };
    case "not_started":
      return { key, action, status };
    default:
      return outcome satisfies never;
  }
}
