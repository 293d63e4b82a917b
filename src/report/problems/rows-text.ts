/**
 * What plancast says about the rows of calendars: their counts, in one line that all commands share, and what it
 * assumed where rows do not say it.
 */

import type { RowCounts } from "../../calendars/row-groups.ts";
import { ORDER_NAMES } from "../../model/fields.ts";
import type { Assumed, Assumption } from "../../model/row.ts";
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

/** One sentence for each assumption, not escaped: ``12 rows take their networks from `defaults:` (linkedin).`` */
export function assumptionSentences(assumptions: readonly Assumption[]): string[] {
  const counts = new Map<string, { readonly assumed: Assumed; rows: number }>();
  for (const { assumed, rows } of assumptions) {
    const key = JSON.stringify(assumed);
    const known = counts.get(key) ?? { assumed, rows: 0 };
    known.rows += rows;
    counts.set(key, known);
  }
  return [...counts.values()].map(({ assumed, rows }) => sentence(assumed, rows));
}

function sentence(assumed: Assumed, rows: number): string {
  const { what, value } = assumed;
  switch (what) {
    case "platforms":
    case "time":
      return `${plural(rows, "row")} ${rows === 1 ? "takes its" : "take their"} ${what === "time" ? what : "networks"} from \`defaults:\` (${value}).`;
    case "timezone":
      return `${plural(rows, "time")} ${rows === 1 ? "is" : "are"} in ${value}, as the header \`${assumed.name}\` says.`;
    case "date_order":
      return `plancast reads ${plural(rows, "date")} as ${ORDER_NAMES[value]}, ${reasonOf(assumed)}.`;
    case "answer": {
      const found = `${plural(rows, "row")} ${rows === 1 ? "has" : "have"} nothing in \`${assumed.name}\`, so`;
      if (value === "draft")
        return `${found} plancast reads ${rows === 1 ? "it as a draft" : "them as drafts"}.`;
      return `${found} plancast plans ${rows === 1 ? "it" : "them"}.`;
    }
    case "series":
      return `${plural(rows, "row")} ${rows === 1 ? "repeats" : "repeat"}: plancast plans ${rows === 1 ? "its" : "their"} posts until ${value}.`;
  }
}

function reasonOf({ from, name }: Assumed & { readonly what: "date_order" }): string {
  if (from === "dots") return "because the numbers have dots between them";
  return from === "header" ? `as the header \`${name}\` says` : `as the preset ${name} says`;
}
