import type { CancelRisks } from "../calendar/blind-spots.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Diff } from "./diff.ts";

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
