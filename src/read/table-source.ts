import type { Position } from "../calendar/problem.ts";

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
