import type { Position } from "../calendar/problem.ts";
import type { Cell, Field, RawRow } from "../calendar/row.ts";
import { scanRecord } from "./csv-cells.ts";
import type { SourceText } from "./source-text.ts";

/** What the rows of one table share. */
export interface Table {
  readonly source: SourceText;
  readonly delimiter: string;
}

/** Where a column's cell stands in the record that starts at an offset; the record's start if it has no such cell. */
export function placeOfCell(table: Table, start: number, column: number): Position {
  let index = 0;
  for (const cell of scanRecord(table.source.text, start, table.delimiter)) {
    if (index === column) return table.source.at(cell.start, cell.end);
    index += 1;
  }
  return table.source.at(start);
}

/** A row of a table. It remembers where it starts, and no more: a calendar may hold 100,000 of them. */
export class CsvRow implements RawRow {
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly #table: Table & { readonly fields: readonly (Field | undefined)[] };
  readonly #start: number;

  constructor(
    table: Table & { readonly fields: readonly (Field | undefined)[] },
    start: number,
    cells: Readonly<Partial<Record<Field, Cell>>>,
  ) {
    this.#table = table;
    this.#start = start;
    this.cells = cells;
  }

  get file(): string {
    return this.#table.source.file;
  }

  get line(): number {
    return this.#table.source.lineOf(this.#start);
  }

  at(field?: Field): Position {
    if (field === undefined || this.cells[field] === undefined) return this.#table.source.at(this.#start);
    return placeOfCell(this.#table, this.#start, this.#table.fields.indexOf(field));
  }
}
