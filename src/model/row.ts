/** A calendar's rows as read: text only, nothing understood yet. */

import type { UnderstoodTable } from "./columns.ts";
import type { Field, TextEncoding, VariantField } from "./fields.ts";
import type { Position, Problem } from "./problem.ts";

/** What a cell holds: its text as written, or the items of a YAML list. */
export type Cell = string | readonly string[];

export interface RawRow {
  /** The calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** Line on which the row starts, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  /**
   * The place of a field, or of one item of a list. Computed on demand, because only problems need it. For an absent
   * field: where the row starts.
   */
  at(field?: Field, item?: number): Position;
  /** Cells of the columns that a filter uses, by folded name. Absent if the format has no other columns. */
  readonly others?: Readonly<Record<string, string>>;
  /** The parts of the row that are for only one platform. */
  readonly variants: readonly RowVariant[];
  /** Whether its platforms are accounts of another scheduler, which `platforms:` translates. */
  readonly namesAccounts?: boolean;
}

/** The part of a row that is for only one platform. */
export interface RowVariant {
  /** As written: an identifier or an alias. */
  readonly platform: string;
  readonly cells: Readonly<Partial<Record<VariantField, Cell>>>;
  /** The place of one of its fields. */
  at(field: Field, item?: number): Position;
}

/** A calendar as read. If its problems include an error, its rows must not be planned. */
export interface RawCalendar {
  readonly file: string;
  readonly rows: readonly RawRow[];
  /** The file's own zone (only YAML), as written, with its place. */
  readonly timezone?: { readonly text: string; readonly at: Position };
  /** Values for the cells that a row leaves blank (only YAML), with their places. */
  readonly defaults?: RawRow;
  readonly problems: readonly Problem[];
  /** How plancast understood its columns; absent if it is not a table, or has none. */
  readonly table?: UnderstoodTable | undefined;
  /** The encoding of the text; absent for workbooks. */
  readonly encoding?: TextEncoding;
  /** One line of the file, without its line end, to show beside a problem. */
  sourceLine(line: number): string | undefined;
}

/**
 * Index of the row that a line of its calendar belongs to: the last row that starts there or before; -1 if there is
 * none.
 */
export function rowAt(rows: readonly RawRow[], line: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
