/** The counts of the rows of calendars, in one line that all commands share. */

import type { RowCounts } from "../../calendars/count-rows.ts";
import { counted, plural } from "../text/numbers.ts";

/** `3 upcoming posts, 1 past, 2 drafts, 1 skipped, 4 rows with errors` */
export function countsText(counts: RowCounts): string {
  return [plural(counts.upcoming, "upcoming post"), otherCounts(counts)]
    .filter((text) => text !== "")
    .join(", ");
}

function otherCounts({ past, expired, drafts, skipped, invalid, filteredOut }: RowCounts): string {
  return counted([
    [past, "past"],
    [expired, "expired"],
    [drafts, drafts === 1 ? "draft" : "drafts"],
    [skipped, "skipped"],
    [invalid, invalid === 1 ? "row with errors" : "rows with errors"],
    [filteredOut, filteredOut === 1 ? "row left out by the filter" : "rows left out by the filter"],
  ]);
}
