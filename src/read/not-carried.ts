/** Columns that the service's interface has no place for: what they hold is counted, and told once for the file. */
import { problem, type Problem } from "../calendar/problem.ts";
import { columnName, columnKey } from "./column-name.ts";
import { isBlank } from "./csv-cells.ts";
import { isMediaLink } from "./read-row.ts";
import type { Header } from "./table-header.ts";
import type { RowsTable } from "./table-row.ts";
import type { TableSource } from "./table-source.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** Rows that use each column. */
export type NotCarried = Map<number, number>;

/** Counts what one record holds. A cell that says no asks for nothing. */
export function countNotCarried(counts: NotCarried, table: RowsTable, record: readonly string[]): void {
  const media = isMediaLink(table, record) ? table.used.filter(({ field }) => field === "media") : [];
  for (const column of [...table.columns.notCarried, ...media.map((each) => each.column)]) {
    const text = record[column] ?? "";
    if (!isBlank(text) && yesOrNo(text) !== false) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
}

/** The warning that names all of them; none where nothing is lost. */
export function notCarriedProblems(source: TableSource, header: Header, counts: NotCarried): Problem[] {
  const columns = [...counts].sort(([one], [other]) => one - other);
  const [first] = columns;
  if (first === undefined) return [];
  const list = columns.map(([column, rows]) => {
    return `${columnName(header, column)} (${rows === 1 ? "1 row" : `${rows} rows`})`;
  });
  const lost = columns.find(([column]) => header.columns.notCarried.includes(column));
  const way =
    lost === undefined
      ? ""
      : ` To stop this warning, say \`${columnKey(header, lost[0])}: ignore\` under \`columns:\` in the project file.`;
  const message =
    `The service has no place for what ${columns.length === 1 ? "this column holds" : "these columns hold"}, so that is not published: ${list.join(", ")}. ` +
    `Put into the text what is to be published, such as a link.${way}`;
  return [
    problem("csv/not-carried", message, source.at(header.record, header.isNamed ? first[0] : undefined)),
  ];
}
