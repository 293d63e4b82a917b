import type { Position } from "../calendar/problem.ts";
import type { Cell, Field, RawRow } from "../calendar/row.ts";
import type { TableSource } from "./table-source.ts";

/** What the rows of one table share. */
export interface RowsTable {
  readonly source: TableSource;
  /** The field of each column; undefined where it has none. */
  readonly fields: readonly (Field | undefined)[];
}

/** A row of a table. It remembers its record's number, and no more: a calendar may hold 100,000 of them. */
export class TableRow implements RawRow {
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly #table: RowsTable;
  readonly #record: number;

  constructor(table: RowsTable, record: number, cells: Readonly<Partial<Record<Field, Cell>>>) {
    this.#table = table;
    this.#record = record;
    this.cells = cells;
  }

  get file(): string {
    return this.#table.source.file;
  }

  get line(): number {
    return this.#table.source.lineOf(this.#record);
  }

  at(field?: Field): Position {
    const { source, fields } = this.#table;
    if (field === undefined || this.cells[field] === undefined) return source.at(this.#record);
    return source.at(this.#record, fields.indexOf(field));
  }
}
