/** Reasons to stop before cancelling. Each a small function; a new guard is a function and a line below. */

import type { CancelRisks, Guard } from "../../model/plan.ts";
import { type Problem, problem } from "../../model/problem.ts";
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

const tooManyCancels: GuardRule = ({ cancels, safety }) =>
  cancels > safety.max_cancels
    ? {
        code: "guard/too-many-cancels",
        message: `${countPosts(cancels)} would be cancelled; safety.max_cancels allows ${safety.max_cancels}. ${overrideHint(cancels)}`,
      }
    : undefined;

const tooManyCancelsPercent: GuardRule = ({ cancels, owned, safety }) => {
  const percent = owned === 0 ? 0 : (cancels / owned) * 100;
  if (percent <= safety.max_cancel_percent) return undefined;
  const share = `${cancels} of ${countPosts(owned)} (${Math.round(percent)} %)`;
  const message = `${share} would be cancelled; safety.max_cancel_percent allows ${safety.max_cancel_percent} %. ${overrideHint(cancels)}`;
  return { code: "guard/too-many-cancels-percent", message };
};

const noRows: GuardRule = ({ cancels, rows }) =>
  cancels > 0 && rows === 0
    ? {
        code: "guard/no-rows",
        message: `No row is left, so every post would be cancelled. Are the calendars where they should be? ${overrideHint(cancels)}`,
      }
    : undefined;

const otherCountAllowed: GuardRule = ({ cancels, allowCancels }) =>
  allowCancels !== undefined && cancels > 0
    ? {
        code: "guard/too-many-cancels",
        message: `${countPosts(cancels)} would be cancelled; --allow-cancels names ${allowCancels}. ${overrideHint(cancels)}`,
      }
    : undefined;

const GUARDS: readonly GuardRule[] = [otherCountAllowed, tooManyCancels, tooManyCancelsPercent, noRows];

/** What would make apply refuse. Nothing, where a person has allowed exactly this number of cancels. */
export function guardsOf(input: GuardInput): Guard[] {
  if (input.cancels === input.allowCancels) return [];
  return GUARDS.flatMap((guard) => guard(input) ?? []);
}

function overrideHint(cancels: number): string {
  return (
    `If that is meant: apply --allow-cancels ${cancels}, ` +
    "or save the plan (plan --out FILE), review it, and apply --plan FILE."
  );
}

function countPosts(count: number): string {
  return count === 1 ? "1 post" : `${count} posts`;
}

/** Leaves the posts of rows that are gone alone, where the rows may still be somewhere. */
export function withholdCancels(
  made: Diff,
  { brokenOthers, isFiltered }: CancelRisks,
): { readonly diff: Diff; readonly problems: readonly Problem[] } {
  const changes = made.changes.filter((change) => change.action !== "cancel" || change.retiring);
  const withheld = made.changes.length - changes.length;
  if (brokenOthers.length > 0) {
    const message =
      `Nothing is cancelled in this run: ${brokenOthers.join(", ")} cannot be understood, and a row that is gone here may have moved there. ` +
      "Mend that calendar, then run again.";
    return { diff: { ...made, changes }, problems: [problem("plan/cancels-withheld", message)] };
  }
  if (isFiltered && withheld + made.leftAlone > 0) {
    const message = `${describeGoneRows(withheld + made.leftAlone)}. A run that --only narrows cancels nothing for that; run without it.`;
    return { diff: { ...made, changes }, problems: [problem("plan/cancels-withheld", message)] };
  }
  if (made.leftAlone === 0) return { diff: made, problems: [] };
  const message = `${describeGoneRows(made.leftAlone)}, and may be rows that \`only:\` leaves out, edited since. The posts are left alone. Give such rows ids.`;
  return { diff: made, problems: [problem("plan/cancels-withheld", message)] };
}

function describeGoneRows(count: number): string {
  return count === 1
    ? "The row of 1 scheduled post seems gone"
    : `The rows of ${count} scheduled posts seem gone`;
}
