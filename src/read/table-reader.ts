import { problem, type Problem } from "../calendar/problem.ts";
import type { Field, RawRow } from "../calendar/row.ts";
import { headerProblems, isComplete, unknownColumns } from "./column-problems.ts";
import { mapColumns, type Columns } from "./columns.ts";
import { isBlank } from "./csv-cells.ts";
import type { ReadOptions } from "./format.ts";
import { TableRow, type RowsTable } from "./table-row.ts";
import type { TableSource } from "./table-source.ts";

/**
 * Turns the records of a table, one after the other, into a header and rows. Blank records are skipped, before the
 * header too. Every format that holds a table is read with this.
 */
export class TableReader {
  readonly #rows: TableRow[] = [];
  readonly #problems: Problem[] = [];
  readonly #source: TableSource;
  readonly #options: ReadOptions;
  #header: Header | undefined;

  constructor(source: TableSource, options: ReadOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Takes the next record: the text of its cells, and its number in the source. */
  visit(cells: readonly string[], record: number): void {
    if (cells.every(isBlank)) return;
    if (this.#header === undefined) this.#readHeader(cells, record);
    else if (this.#header.complete) this.#readRow(this.#header, cells, record);
  }

  /** The rows, and what is wrong with them; to be asked at the end. `faulty`: the source left records out. */
  finish(faulty: boolean): { readonly rows: readonly RawRow[]; readonly problems: readonly Problem[] } {
    return { rows: this.#rows, problems: this.#allProblems(faulty) };
  }

  #allProblems(faulty: boolean): readonly Problem[] {
    const { file } = this.#source;
    if (this.#header === undefined) {
      const message =
        "The file is empty. Its first row must name the columns, for example content,date,time,platforms.";
      return faulty ? [] : [problem("csv/no-header", message, { file, line: 1, column: 1 })];
    }
    const unknown = unknownColumns(this.#source, this.#header, this.#header.filledUnnamed);
    if (this.#rows.length > 0 || faulty || this.#problems.length > 0) return [...this.#problems, ...unknown];
    return [...unknown, problem("calendar/empty", "The calendar has a header but no rows.", { file })];
  }

  #readHeader(names: readonly string[], record: number): void {
    const columns = mapColumns(names, this.#options.columns);
    const used = [...columns.fields.entries()].flatMap(([column, field]) =>
      field === undefined ? [] : [{ column, field }],
    );
    const table = { source: this.#source, fields: columns.fields };
    const complete = isComplete(columns);
    this.#header = { names, record, columns, complete, used, table, filledUnnamed: new Set() };
    this.#problems.push(...headerProblems(this.#source, this.#header));
  }

  #readRow(header: Header, record: readonly string[], number: number): void {
    const extra = record.length > header.names.length ? firstExtra(record, header.names.length) : -1;
    if (extra !== -1) {
      this.#problems.push(this.#raggedRow(header, record.length, number, extra));
      return;
    }
    for (const column of header.columns.unnamed) {
      if (!isBlank(record[column] ?? "")) header.filledUnnamed.add(column);
    }
    const cells: Partial<Record<Field, string>> = {};
    for (const { column, field } of header.used) {
      const cell = record[column];
      if (cell !== undefined && !isBlank(cell)) cells[field] = cell;
    }
    this.#rows.push(new TableRow(header.table, number, cells));
  }

  #raggedRow(header: Header, cells: number, record: number, extra: number): Problem {
    const message =
      `The row has ${cells} cells, but the header names ${header.names.length} columns. ` +
      this.#source.surplusRemedy;
    return problem("csv/ragged-row", message, this.#source.at(record, extra));
  }
}

/** The header row, understood. */
interface Header {
  readonly names: readonly string[];
  /** Its number in the source. */
  readonly record: number;
  readonly columns: Columns;
  /** The columns that every post needs are there. Without them each row would only repeat what is missing. */
  readonly complete: boolean;
  readonly used: readonly { readonly column: number; readonly field: Field }[];
  readonly table: RowsTable;
  /** Columns without a name that hold something all the same. */
  readonly filledUnnamed: Set<number>;
}

function firstExtra(record: readonly string[], width: number): number {
  return record.findIndex((cell, column) => column >= width && !isBlank(cell));
}
