/** What an apply did not do, as GitHub shows it beside the rows. */

import type { ApplyResult, Outcome } from "../../model/outcome.ts";
import type { Change } from "../../model/plan.ts";
import type { Annotation } from "../problems/github.ts";
import { reasonText } from "./outcome-reason.ts";

/** What failed, and what may or may not have been done, at its row. */
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

/** Where the row of an outcome stands; of a row that is gone, its file. */
function placesOf(changes: readonly Change[]): (outcome: Outcome) => Place {
  const places = new Map(
    changes.map((change): [string, Place] => [
      `${change.action} ${change.key}`,
      change.action === "cancel" ? { file: change.file } : change.desired.at("content"),
    ]),
  );
  return ({ action, key }) => places.get(`${action} ${key}`) ?? {};
}
