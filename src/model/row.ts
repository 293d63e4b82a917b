/** A calendar's rows as read: text only, nothing understood yet. */

import type { UnderstoodTable } from "./columns.ts";
import type { Field, TextEncoding, VariantField } from "./fields.ts";
import type { Position, Problem } from "./problem.ts";

/** What a cell holds: its text as written, or the items of a YAML list. */
export type Cell = string | readonly string[];

/** A row as read from a calendar: text only, nothing understood yet. Blank cells are absent. */
export interface RawRow {
  /** The calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** Line on which the row starts, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  /**
   * Where a field (or one item of a list) stands. Computed when asked, because only problems ask.
   * For an absent field: where the row starts.
   */
  at(field?: Field, item?: number): Position;
  /** Cells of columns that a filter asks for, by folded name. Absent where the format has no other columns. */
  readonly others?: Readonly<Record<string, string>>;
  /** What the row says for one platform alone. */
  readonly variants: readonly RowVariant[];
  /** Whether its platforms are accounts elsewhere, known by what the project says of each. */
  readonly namesAccounts?: boolean;
}

/** The part of a row that is for one platform alone. */
export interface RowVariant {
  /** As written: an identifier or an alias. */
  readonly platform: string;
  readonly cells: Readonly<Partial<Record<VariantField, Cell>>>;
  /** Where a field of it stands. */
  at(field: Field, item?: number): Position;
}

/** A calendar as read. With an error among the problems its rows must not be planned. */
export interface RawCalendar {
  readonly file: string;
  readonly rows: readonly RawRow[];
  /** The file's own zone (YAML only), as written, with its place. */
  readonly timezone?: { readonly text: string; readonly at: Position };
  /** Values for the cells that a row leaves blank (YAML only), with their places. */
  readonly defaults?: RawRow;
  readonly problems: readonly Problem[];
  /** How its columns are understood; absent where it is no table, or none was found in it. */
  readonly table?: UnderstoodTable | undefined;
  /** What its text was read as; absent for workbooks. */
  readonly encoding?: TextEncoding;
  /** One line of the file, without its line end, to show beside a problem. */
  sourceLine(line: number): string | undefined;
}

/** Index of the row that a line of its calendar belongs to: the last that starts there or before; -1 where none does. */
export function rowAt(rows: readonly RawRow[], line: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
