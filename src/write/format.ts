import type { Cell } from "../calendar/row.ts";
import type { ColumnName } from "./column-name.ts";

/**
 * A row as it is to be written: text, and lists for platforms and media. It says all that it means by itself, but for
 * what the project's own defaults fill in. In the order of the fields; what one platform has of its own comes last.
 */
export type WrittenRow = ReadonlyMap<ColumnName, Cell>;

/** What a format cannot hold. */
export interface WriteFault {
  /** Index of the row. */
  readonly row: number;
  /** Undefined for the row as a whole. */
  readonly column: ColumnName | undefined;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** A whole file, or all that keeps it from being written. */
export type WriteOutput =
  { readonly contents: string | Uint8Array } | { readonly faults: readonly WriteFault[] };

export interface WriteOptions {
  /** Platforms to offer in a drop-down, where the format has them. */
  readonly platforms: readonly string[];
  /** Columns that a table has although no row needs them. */
  readonly columns?: readonly ColumnName[];
}

/** Writes a calendar. Pure; equal rows give equal bytes. */
export type Write = (rows: readonly WrittenRow[], options: WriteOptions) => WriteOutput;
