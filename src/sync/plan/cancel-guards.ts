/** When cancels are dangerous: the guards that make apply refuse a plan, and the cancels that a plan leaves out. */

import type { CancelRisks, Guard } from "../../model/plan.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { type WithheldCancels, withheldCancelsText } from "../../problems/plan-texts.ts";
import type { Config } from "../../settings/config.ts";
import type { Diff } from "./input.ts";

export interface GuardInput {
  /** Posts to cancel, without the old halves of replacements. */
  readonly cancels: number;
  /** Owned posts that are scheduled. */
  readonly owned: number;
  /** Ready rows that the run is about. */
  readonly rows: number;
  readonly safety: Config["safety"];
  /** The count of cancels that a person has allowed, if any. */
  readonly allowCancels: number | undefined;
}

type GuardRule = (input: GuardInput) => Guard | undefined;

const otherCountAllowed: GuardRule = ({ cancels, allowCancels: limit }) =>
  limit !== undefined && cancels > 0
    ? { code: "guard/too-many-cancels", cancels, limit, limitFrom: "person" }
    : undefined;

const tooManyCancels: GuardRule = ({ cancels, safety: { max_cancels: limit } }) =>
  cancels > limit ? { code: "guard/too-many-cancels", cancels, limit, limitFrom: "settings" } : undefined;

const tooManyCancelsPercent: GuardRule = ({ cancels, owned, safety: { max_cancel_percent: limit } }) => {
  const percent = owned === 0 ? 0 : (cancels / owned) * 100;
  // One of three is a third, and nothing unusual.
  if (cancels <= 1 || percent <= limit) return undefined;
  return { code: "guard/too-many-cancels-percent", cancels, total: owned, percent, limit };
};

const noRows: GuardRule = ({ cancels, rows }) =>
  cancels > 0 && rows === 0 ? { code: "guard/no-rows", cancels } : undefined;

/** In the order in which they are shown; apply refuses with the first. A new guard is a function and an entry here. */
const GUARDS: readonly GuardRule[] = [otherCountAllowed, tooManyCancels, tooManyCancelsPercent, noRows];

/** What would make apply refuse. Nothing, where a person has allowed exactly this number of cancels. */
export function guardsOf(input: GuardInput): Guard[] {
  if (input.cancels === input.allowCancels) return [];
  return GUARDS.flatMap((guard) => guard(input) ?? []);
}

/** Leaves the posts of rows that are gone alone, where the rows may still be somewhere; a warning says so. */
export function withholdCancels(
  made: Diff,
  risks: CancelRisks,
): { readonly diff: Diff; readonly problems: readonly Problem[] } {
  const rest = made.changes.filter((change) => change.action !== "cancel" || change.retiring);
  const withheld = withheldCancels(made.changes.length - rest.length, made.leftAlone, risks);
  if (withheld === undefined) return { diff: made, problems: [] };
  return {
    // Rows that only a filter leaves out are left alone by the diff: the other cancels are safe.
    diff: withheld.why === "filtered-rows" ? made : { ...made, changes: rest },
    problems: [problem("plan/cancels-withheld", withheldCancelsText(withheld))],
  };
}

/** @param cancels without the old halves of replacements @param leftAlone posts that the diff did not cancel */
function withheldCancels(
  cancels: number,
  leftAlone: number,
  { brokenOthers, isFiltered }: CancelRisks,
): WithheldCancels | undefined {
  if (brokenOthers.length > 0) return { why: "broken-calendars", files: brokenOthers };
  if (isFiltered && cancels + leftAlone > 0) return { why: "narrowed-run", posts: cancels + leftAlone };
  return leftAlone === 0 ? undefined : { why: "filtered-rows", posts: leftAlone };
}
