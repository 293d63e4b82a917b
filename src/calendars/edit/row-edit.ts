/** Edits of rows: what is to change, why it cannot, and in which columns of a table the cells are. */

import { type UnderstoodTable, type UsedAs, targetText } from "../../model/columns.ts";
import { type ColumnName, splitColumn } from "../write/written-row.ts";

/** What is to stand in one row of a calendar, by column. */
export interface RowEdit {
  /** Index of the row. */
  readonly row: number;
  readonly cells: ReadonlyMap<ColumnName, string>;
}

/** Why a row, or where none is named the whole file, stays as it is. */
export interface EditFault {
  readonly row: number | undefined;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** What becomes of a file: rows with a fault are as they were. */
export interface EditResult<Contents> {
  readonly contents: Contents;
  readonly faults: readonly EditFault[];
}

/** The end of a message about what people can change in the file. */
export const RUN_AGAIN = "run again: plancast kept the text, so it costs nothing more.";

/** The identifier of a platform, whatever it is called. */
export type IdentifyPlatform = (platform: string) => string;

/** A cell of a table: its row as the file counts, and its column from 0. */
export interface GridEdit {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** It names a column. */
  readonly isHeader?: true;
}

interface PlacedColumns {
  /** The column of each name, from 0. */
  readonly columns: ReadonlyMap<ColumnName, number>;
  /** Those that the header does not have yet. */
  readonly added: readonly ColumnName[];
}

/** @param width the column that is added first, from 0 */
export function placeColumns(
  table: UnderstoodTable,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
  width: number,
): PlacedColumns {
  const columns = new Map<ColumnName, number>();
  const added: ColumnName[] = [];
  for (const name of new Set(edits.flatMap(({ cells }) => [...cells.keys()]))) {
    const wanted = canonicalName(name, identify);
    const found = table.columns.find(
      ({ meaning }) => meaning.kind === "used" && nameOf(meaning.as, identify) === wanted,
    );
    columns.set(name, found?.column ?? width + added.length);
    if (found === undefined) added.push(name);
  }
  return { columns, added };
}

/** The row of the header that names columns; undefined where there is none. */
export function headerLine({ headerRow: { value } }: UnderstoodTable): number | undefined {
  if (value === "none") return undefined;
  return typeof value === "number" ? value : value[1];
}

export const NO_HEADER =
  "plancast cannot add a column, because the file has no header. Add the column by hand, and name its position under `columns:` in plancast.yaml.";

function nameOf(as: UsedAs, identify: IdentifyPlatform): string {
  return as.kind === "variant" ? `${as.field}:${identify(as.platform)}` : targetText(as);
}

function canonicalName(name: ColumnName, identify: IdentifyPlatform): string {
  const { field, platform } = splitColumn(name);
  return platform === undefined ? field : `${field}:${identify(platform)}`;
}
