/** What a reader of calendars gets and gives, and what a table's source must know. */

import type { Position } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";
import type { CalendarSettings } from "../../settings/calendar-settings.ts";
import type { Columns } from "../columns/columns.ts";

/** More columns than any calendar has: the widest known has a hundred. */
export const MAX_COLUMNS = 1000;

/** What the project file says of how a calendar is read. */
export interface ReadOptions extends Pick<
  CalendarSettings,
  | "preset"
  | "columns"
  | "header_row"
  | "encoding"
  | "sheet"
  | "hidden_rows"
  | "merged_cells"
  | "blank_time"
  | "carousel_rows"
  | "link_rows"
> {
  /** Columns whose cells are kept although they may be no fields, by folded name. */
  readonly keep?: readonly string[];
  /** Called with each row of a table, for who looks at columns that no row has a field for. */
  readonly eachRow?: EachRow | undefined;
}

/** @param line the row's line or number, from 1 */
export type EachRow = (cells: readonly string[], columns: Columns, line: number) => void;

/** Reads the text of a calendar; `file` is its name relative to the project root. Pure; never throws. */
type Read = (file: string, text: string, options: ReadOptions) => RawCalendar;

/** The same for a calendar that is no text. Never throws. */
type ReadBytes = (file: string, bytes: Uint8Array, options: ReadOptions) => Promise<RawCalendar>;

/** How a kind of calendar is read: from its text, or from its bytes. */
export type Format = { readonly text: Read } | { readonly bytes: ReadBytes };

/**
 * Where the cells of a table stand: the seam between a file format and the table that it holds. A record is known by
 * a number of its source's choice (an offset, a row), so that 100,000 rows each remember no more than that number.
 */
export interface TableSource {
  /** The calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** Line or row on which a record starts, from 1. */
  lineOf(record: number): number;
  /** Where a record starts; with a column (from 0), where that cell stands, if the record has it. Only problems ask. */
  at(record: number, column?: number): Position;
  /** What to do about a row with more cells than the header has columns. A sentence. */
  readonly surplusRemedy: string;
}
