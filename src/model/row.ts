/** A calendar's rows as read: text only, nothing understood yet. */

import type { CalendarAccount } from "./column-account.ts";
import type { HeaderNotes, UnderstoodTable, UsedAs } from "./columns.ts";
import { type DateOrder, type Field, type TextEncoding, type VariantField, TIME_FIELDS } from "./fields.ts";
import { groupBy } from "./data.ts";
import type { Occurrence } from "./post.ts";
import { type Position, type Problem, sheetOf } from "./problem.ts";

/** What a cell holds: its text as written, or the items of a YAML list. */
export type Cell = string | readonly string[];

/** The text of a cell; a list with commas. */
export function cellText(cell: Cell | undefined): string {
  return typeof cell === "object" ? cell.join(", ") : (cell ?? "");
}

export interface RawRow {
  /** The calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
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
  /** The post of a series that this row describes. Absent for a row as it was read. */
  readonly occurrence?: Occurrence | undefined;
  /** What its blank cells mean in columns of yes and no. Absent for a row without any. */
  readonly blankAnswers?: readonly Assumed[];
  /** Why it must not be planned as it is. Drafts and rows that a filter leaves out may have it. Absent for most rows. */
  readonly doubts?: readonly Problem[];
  /** Whether its platforms are accounts of another scheduler, which `platforms:` translates. */
  readonly namesAccounts?: boolean;
  /** Whether its date or time is joined from several cells. */
  readonly isJoined?: boolean;
}

/** The part of a row that is for only one platform. */
export interface RowVariant {
  /** As written: an identifier or an alias. */
  readonly platform: string;
  readonly cells: Readonly<Partial<Record<VariantField, Cell>>>;
  /** The place of one of its fields. */
  at(field: Field, item?: number): Position;
}

/** Whether a row says neither day nor time, for any of its platforms. */
export function isUntimed({ cells, variants }: Pick<RawRow, "cells" | "variants">): boolean {
  return [cells, ...variants.map((each) => each.cells)].every((each) =>
    TIME_FIELDS.every((field) => each[field] === undefined),
  );
}

/** What a row does not say itself, and where plancast takes it from. */
export type Assumed =
  | { readonly what: "platforms" | "time"; readonly value: string; readonly from: "defaults" }
  /** A header names the zone. */
  | { readonly what: "timezone"; readonly value: string; readonly from: "header"; readonly name: string }
  /** The order of a date that could have another one. `dots`: people who write dots put the day first. */
  | {
      readonly what: "date_order";
      readonly value: DateOrder;
      readonly from: "header" | "preset" | "dots";
      readonly name: string;
    }
  /** A blank cell in a column of yes and no: what the row is because of it, and the header of the column. */
  | {
      readonly what: "answer";
      readonly value: "ready" | "draft";
      readonly from: "blank";
      readonly name: string;
    }
  /** The last day up to which plancast plans rows that repeat: `2027-03-01`. */
  | { readonly what: "series"; readonly value: string; readonly from: "settings" };

/** Rows with the same assumption. */
export interface Assumption {
  readonly file: string;
  readonly assumed: Assumed;
  readonly rows: number;
}

/** A calendar as read. If its problems include an error, its rows must not be planned. */
export interface RawCalendar {
  readonly file: string;
  readonly rows: readonly RawRow[];
  /**
   * The readable parts of rows with a fault. The calendar's problems report the fault. They never become posts, and
   * are checked only for further faults. Absent if there are none.
   */
  readonly faultyRows?: readonly RawRow[];
  /** The file's own zone (only YAML), as written, with its place. */
  readonly timezone?: { readonly text: string; readonly at: Position };
  /** Values for the cells that a row leaves blank (only YAML), with their places. */
  readonly defaults?: RawRow;
  readonly problems: readonly Problem[];
  /** How plancast understood its columns; absent if it is not a table, or has none. */
  readonly table?: UnderstoodTable | undefined;
  readonly notes?: HeaderNotes | undefined;
  /** What becomes of its columns or keys, and of the values that decide. Absent if none could be read. */
  readonly account?: CalendarAccount | undefined;
  /** Keys that say with yes or no whether a post is ready (only YAML). */
  readonly switches?: readonly StatusSwitch[];
  /** The encoding of the text; absent for workbooks. */
  readonly encoding?: TextEncoding;
  /** One line of the file, without its line end, to show beside a problem. */
  sourceLine(line: number): string | undefined;
}

/** A column or key whose cells say yes or no to a status. */
export interface StatusSwitch {
  /** Its header or key. */
  readonly name: string;
  /** What a yes means. */
  readonly value: string;
}

/** The switch that a column or key is, if it is one. */
export function statusSwitch(name: string, as: UsedAs): readonly StatusSwitch[] {
  return as.kind === "switch" && as.field === "status" ? [{ name, value: as.value }] : [];
}

/** Where a row starts. */
type RowPlace = Pick<RawRow, "file" | "sheet" | "line">;

/** Equal for one row. Sheets of a workbook have the same line numbers. */
export function rowMark({ file, sheet, line }: RowPlace): string {
  return JSON.stringify([file, sheet ?? null, line]);
}

/** The rows of calendars, by their places. */
export class RowIndex {
  readonly #rows: ReadonlyMap<string, readonly RawRow[]>;

  constructor(calendars: readonly Pick<RawCalendar, "rows" | "faultyRows">[]) {
    const all = calendars.flatMap(({ rows, faultyRows = [] }) => [...rows, ...faultyRows]);
    const groups = groupBy(all, (row) => rowMark({ ...placeOf(row), line: 0 }));
    this.#rows = new Map(
      [...groups].map(([mark, rows]) => [mark, rows.toSorted((one, other) => one.line - other.line)]),
    );
  }

  /** The row that a place, such as that of a problem, belongs to. */
  at(place: Partial<Position>): RawRow | undefined {
    const { file, line } = place;
    if (file === undefined || line === undefined) return undefined;
    const rows = this.#rows.get(rowMark({ file, sheet: sheetOf(place), line: 0 })) ?? [];
    return rows[rowAt(rows, line)];
  }
}

function placeOf({ file, sheet, line }: RowPlace): RowPlace {
  return { file, sheet, line };
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
