import { unguarded } from "../calendar/formula-guard.ts";
import { MEDIA_SEPARATOR, type Field } from "../calendar/row.ts";
import { isBlank } from "./csv-cells.ts";
import { TableRow, type RowsTable } from "./table-row.ts";

/** A record as a row: its cells by field, blank ones left out. */
export function readRow(table: RowsTable, record: readonly string[], number: number): TableRow {
  const cells: Partial<Record<Field, string>> = {};
  for (const { column, field, isGuarded } of table.used) {
    const cell = record[column];
    if (cell !== undefined && !isBlank(cell)) cells[field] = isGuarded ? unguarded(cell) : cell;
  }
  if (!table.isMediaSpread || cells.media === undefined) return new TableRow(table, number, cells);
  const parts = mediaParts(table, record);
  const media = parts.map(({ part }) => part);
  const columns = parts.map(({ column }) => column);
  return new TableRow(table, number, { ...cells, media }, columns);
}

/** The media of a row whose columns `Image 1`, `Image 2` and so on all stand for them, in their order. */
function mediaParts(table: RowsTable, record: readonly string[]): { part: string; column: number }[] {
  return table.used.flatMap(({ column, field, isGuarded }) => {
    if (field !== "media") return [];
    const cell = record[column] ?? "";
    const parts = (isGuarded ? unguarded(cell) : cell).split(MEDIA_SEPARATOR).map((part) => part.trim());
    return parts.filter((part) => part !== "").map((part) => ({ part, column }));
  });
}
