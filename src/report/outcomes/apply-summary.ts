/**
 * The result of an apply: in one line, why changes are not done, annotations that GitHub shows beside the rows, and the
 * document of `apply --format json`, which documents/apply.ts defines.
 */

import type { ApplyResult, Change, Outcome, OutcomeReason, StepResult } from "../../model/plan.ts";
import { counted } from "../text/numbers.ts";
import type { applySchema } from "../documents/apply.ts";
import type { DocumentOf } from "../documents/parts.ts";
import { type AfterApply, afterApplyDocument } from "./write-outcome.ts";
import type { WriteResult } from "../../service/records.ts";
import { FIELD_NAMES } from "../plan/plan-view.ts";
import type { Annotation } from "../problems/github.ts";

export type ApplyDocument = DocumentOf<typeof applySchema>;
type OutcomeDocument = ApplyDocument["outcomes"][number];

function applySummary(result: ApplyResult | undefined): ApplyDocument["summary"] {
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

/** The document of an apply; `undefined` means that it was refused before its first change. */
export function applyDocument(result: ApplyResult | undefined, after?: AfterApply): ApplyDocument {
  return {
    version: 1,
    summary: applySummary(result),
    outcomes: (result?.outcomes ?? []).map(outcomeDocument),
    requests: result?.requests ?? 0,
    waited_ms: Math.round(result?.waitedMs ?? 0),
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

/** Not escaped. Starts in lower case and has no full stop, except in the service's own words. */
export function reasonText(reason: OutcomeReason): string {
  switch (reason.kind) {
    case "message":
      return reason.message;
    case "published-before-cancel":
      return "the post was published before plancast could cancel it";
    case "published-before-replace":
      return "the old post was published before plancast could replace it; no new post was scheduled";
    case "both-published":
      return `the old post (${reason.oldId}) was published before plancast could cancel it; the new one is scheduled as ${reason.newId}`;
    case "old-not-cancelled": {
      const why = reason.why === undefined ? "" : `${reasonText(reason.why)}; `;
      return `${why}the new post is scheduled as ${reason.newId}; the next apply cancels the old one, ${reason.oldId}`;
    }
    case "new-not-scheduled": {
      const why = reason.why === undefined ? "the run stopped in between" : reasonText(reason.why);
      return `the old post (${reason.oldId}) is cancelled, but the new one is not scheduled: ${why}`;
    }
    case "upload-unknown":
      return `plancast could not upload its media: ${reasonText(reason.why)}`;
    case "file-changed":
      return `${reason.file} changed during the run`;
    case "clock-set-back":
      return `plancast did not check ${reason.address}, because the clock was set back. Run again`;
    case "id-of-other-row":
      return `the service gave it the id ${reason.postId}, which already belongs to "${reason.otherKey}"`;
    case "not-updated": {
      const parts = reason.parts.map((part) => FIELD_NAMES[part]).join(", ");
      return `the service changed ${reason.postId} only in part: it kept the old ${parts}`;
    }
    case "run-ended":
      return "the run ended before the service answered";
    default:
      return reason satisfies never;
  }
}

/** A step, in the form of the service's answer. */
export function inWords<T>(step: StepResult<T>): WriteResult<T> {
  return "reason" in step ? { ...step, message: reasonText(step.reason) } : step;
}

/** Failed and unknown changes, at their rows. */
export function outcomeAnnotations(
  { outcomes }: Pick<ApplyResult, "outcomes">,
  changes: readonly Change[],
): readonly Annotation[] {
  const places = placesOf(changes);
  return outcomes.flatMap((outcome): Annotation[] => {
    if (outcome.status !== "failed" && outcome.status !== "unknown") return [];
    const code = outcome.status === "failed" ? outcome.code : "unknown outcome";
    return [{ code, severity: "error", message: reasonText(outcome.reason), ...places(outcome) }];
  });
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly cell?: string;
}

/** The place of an outcome's row; for a missing row, its file. */
function placesOf(changes: readonly Change[]): (outcome: Outcome) => Place {
  const places = new Map(
    changes.map((change): [string, Place] => [
      `${change.action} ${change.key}`,
      change.action === "cancel" ? { file: change.file } : change.desired.at("content"),
    ]),
  );
  return ({ action, key }) => places.get(`${action} ${key}`) ?? {};
}
