import { guardedField } from "../calendar/formula-guard.ts";
import type { Position } from "../calendar/problem.ts";
import type { Cell, Field, RawRow } from "../calendar/row.ts";
import type { TableSource } from "./table-source.ts";

/** What the rows of one table share. */
export interface RowsTable {
  readonly source: TableSource;
  /** The field of each column; undefined where it has none. */
  readonly fields: readonly (Field | undefined)[];
  /** The columns that have a field; in guarded ones an apostrophe may stand before what looks like a formula. */
  readonly used: readonly { readonly column: number; readonly field: Field; readonly isGuarded: boolean }[];
  /** Whether media have several columns. */
  readonly isMediaSpread: boolean;
}

/** @param names the columns' headers; none where there is no header */
export function tableOf(
  source: TableSource,
  fields: readonly (Field | undefined)[],
  names: readonly string[],
): RowsTable {
  const used = [...fields.entries()].flatMap(([column, field]) =>
    field === undefined ? [] : [{ column, field, isGuarded: guardedField(names[column] ?? "") === field }],
  );
  return { source, fields, used, isMediaSpread: used.filter(({ field }) => field === "media").length > 1 };
}

/** A row of a table. It remembers its record's number, and no more: a calendar may hold 100,000 of them. */
export class TableRow implements RawRow {
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly #table: RowsTable;
  readonly #record: number;
  /** The column of each item of media that came from several columns. */
  readonly #mediaColumns: readonly number[] | undefined;

  constructor(
    table: RowsTable,
    record: number,
    cells: Readonly<Partial<Record<Field, Cell>>>,
    mediaColumns?: readonly number[],
  ) {
    this.#table = table;
    this.#record = record;
    this.cells = cells;
    this.#mediaColumns = mediaColumns;
  }

  get file(): string {
    return this.#table.source.file;
  }

  get line(): number {
    return this.#table.source.lineOf(this.#record);
  }

  at(field?: Field, item = 0): Position {
    const { source, fields } = this.#table;
    if (field === undefined || this.cells[field] === undefined) return source.at(this.#record);
    const spread = field === "media" ? this.#mediaColumns?.[item] : undefined;
    return source.at(this.#record, spread ?? fields.indexOf(field));
  }
}
