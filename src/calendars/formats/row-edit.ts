/** Edits of rows: what to change, why it is impossible, and the columns of the cells. */

import { type UnderstoodTable, type UsedAs, targetText } from "../../model/columns.ts";
import type { Cell } from "../../model/row.ts";
import { type ColumnName, isOptionColumn, sortColumns, splitColumn } from "./written-row.ts";

/** The new content of one row, by column. */
export interface RowEdit {
  /** Index of the row. */
  readonly row: number;
  /** Only YAML can contain a list, and only where the file already has a list. */
  readonly cells: ReadonlyMap<ColumnName, Cell>;
}

/** Why a row stays as it is; without a row, why the whole file does. */
export interface EditFault {
  readonly row: number | undefined;
  /** The fault, and what to do about it. */
  readonly message: string;
}

/** The edited file. Rows with a fault are unchanged. */
export interface EditResult<Contents> {
  readonly contents: Contents;
  readonly faults: readonly EditFault[];
}

/** The end of a message about the changes that people can make. */
export const RUN_AGAIN = "run again.";

/** The identifier of a platform, for any of its names. */
export type IdentifyPlatform = (platform: string) => string;

/** A cell of a table: the row's number in the file, and the column from 0. */
export interface GridEdit {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** The cell is in the header. */
  readonly isHeader?: true;
  /** The cell holds a date or a time. */
  readonly isTime?: true;
}

interface PlacedColumns {
  /** The column of each name, from 0. */
  readonly columns: ReadonlyMap<ColumnName, number>;
  /** The columns that the header lacks. */
  readonly added: readonly ColumnName[];
}

/** @param width index of the first added column */
export function placeColumns(
  table: UnderstoodTable,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
  width: number,
): PlacedColumns {
  const columns = new Map<ColumnName, number>();
  const added: ColumnName[] = [];
  for (const name of sortColumns([...new Set(edits.flatMap(({ cells }) => [...cells.keys()]))])) {
    const wanted = canonicalName(name, identify);
    const found = table.columns.find(
      ({ meaning }) => meaning.kind === "used" && nameOf(meaning.as, identify) === wanted,
    );
    columns.set(name, found?.column ?? width + added.length);
    if (found === undefined) added.push(name);
  }
  return { columns, added };
}

/** The header row that names columns; undefined if there is none. */
export function headerLine({ headerRow: { value } }: UnderstoodTable): number | undefined {
  if (value === "none") return undefined;
  return typeof value === "number" ? value : value[1];
}

export const SEVERAL_SHEETS =
  "plancast cannot write into a calendar of several sheets. Write the cells by hand, or save each sheet as its own workbook.";

export const NO_HEADER =
  "plancast cannot add a column, because the file has no header. Add the column by hand, and name its position under `columns:` in plancast.yaml.";

function nameOf(as: UsedAs, identify: IdentifyPlatform): string {
  return as.kind === "variant" ? `${as.field}:${identify(as.platform)}` : targetText(as);
}

function canonicalName(name: ColumnName, identify: IdentifyPlatform): string {
  if (isOptionColumn(name)) return name;
  const { field, platform } = splitColumn(name);
  return platform === undefined ? field : `${field}:${identify(platform)}`;
}
