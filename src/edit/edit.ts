import type { ColumnName } from "../write/column-name.ts";

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
export const RUN_AGAIN = "run again: the text is kept and costs nothing more.";
