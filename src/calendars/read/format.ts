/** The settings for reading a calendar, and what a source of table rows must provide. */

import type { Position, Problem } from "../../model/problem.ts";
import type { Only } from "../../model/row-filter.ts";
import type { CalendarSettings } from "../../settings/calendar-settings.ts";

/** No real calendar has more columns: the widest known one has a hundred. */
export const MAX_COLUMNS = 1000;

/** The settings for reading a calendar. */
export interface ReadOptions
  extends
    Pick<
      CalendarSettings,
      | "preset"
      | "timezone"
      | "date_order"
      | "columns"
      | "header_row"
      | "encoding"
      | "sheet"
      | "hidden_rows"
      | "merged_cells"
      | "carry"
      | "blank_time"
      | "slots"
      | "carousel_rows"
      | "approvals"
    >,
    Partial<Pick<CalendarSettings, "values" | "status_values">> {
  /** The values of rows that do not match need no meaning. */
  readonly only?: Only | undefined;
  /** Columns whose cells are kept even if they are not fields, by folded name. */
  readonly keep?: readonly string[];
  /** The project's calendars, to name when this one does not exist. */
  readonly known?: readonly string[];
  /** Called with each row of a table. @param line the row's line or number, from 1 */
  readonly eachRow?: ((cells: readonly string[], line: number) => void) | undefined;
}

/**
 * The interface between a file format and the table in it: gives the place of each cell. A record is identified by a
 * number that the source chooses (an offset, a row), so that 100,000 rows need little memory.
 */
export interface TableSource {
  /** The calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** The sheet of a workbook. */
  readonly sheet?: string;
  /** Line or row on which a record starts, from 1. */
  lineOf(record: number): number;
  /**
   * The place of a record, or of the cell in a column (from 0) if the record has it, or of an item of the list there. Only
   * problems need it.
   */
  at(record: number, column?: number, item?: number): Position;
  /** Whether the columns are keys of posts: each record is a post then, also a blank one, and none is a title. */
  readonly hasKeys?: true;
  /** The time in a cell of a column of times that holds only a number, if the format has times as numbers. */
  timeOf?(text: string): string | undefined;
  /** The address that a cell links to, if the format has links. */
  linkOf?(record: number, column: number): string | undefined;
  /**
   * Why a record must not be planned as it is, from its comments and the looks of its texts, if the format has them.
   * @param width the number of its cells @param read the columns from which its post gets something
   */
  doubtsAbout?(record: number, width: number, read: ReadonlySet<number>): readonly Problem[];
  /** Whether a formula in a cell is only its text: the file does not contain its result. */
  readonly hasFormulaTexts?: boolean;
  /** What to do about a row with more cells than the header has columns. A sentence. */
  readonly surplusRemedy: string;
}
