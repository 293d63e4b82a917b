import { problem, type Problem } from "../../calendar/problem.ts";
import type { RawRow } from "../../calendar/row.ts";
import type { SheetRow } from "./workbook.ts";

/** Says which of the rows are hidden: people forget what they do not see. */
export function hiddenRowProblems(
  rows: readonly RawRow[],
  byNumber: ReadonlyMap<number, SheetRow>,
): Problem[] {
  const hidden = rows.filter(({ line }) => byNumber.get(line)?.hidden !== undefined);
  const [first] = hidden;
  if (first === undefined) return [];
  const filtered = hidden.filter(({ line }) => byNumber.get(line)?.hidden === "filter").length;
  const lines = hidden.slice(0, 5).map(({ line }) => line);
  const more = hidden.length > lines.length ? ` and ${hidden.length - lines.length} more` : "";
  const by =
    filtered === hidden.length ? " by a filter" : filtered > 0 ? `, ${filtered} of them by a filter` : "";
  const what =
    hidden.length === 1
      ? `Row ${first.line} is hidden${by}, and is`
      : `${hidden.length} rows are hidden${by} (${lines.join(", ")}${more}), and are`;
  const message = `${what} read all the same. Say \`hidden_rows: read\` in the project file if that is meant, or \`hidden_rows: skip\` to leave such rows out.`;
  return [problem("sheet/hidden-rows", message, first.at())];
}
