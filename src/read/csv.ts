import { problem, type Problem } from "../calendar/problem.ts";
import type { Field, RawCalendar } from "../calendar/row.ts";
import { mapColumns, type Columns } from "./columns.ts";
import { headerProblems, isComplete, unknownColumns } from "./column-problems.ts";
import { isBlank, skipLineEnd } from "./csv-cells.ts";
import { readRecords } from "./csv-records.ts";
import { CsvRow, placeOfCell, type Table } from "./csv-row.ts";
import { inFileOrder } from "./file-order.ts";
import type { ReadOptions } from "./format.ts";
import { sniffDelimiter } from "./sniff-delimiter.ts";
import { SourceText } from "./source-text.ts";

/** Excel's own first line that names the delimiter, e.g. `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|[\r\n]|$)/i;

/** Reads comma-, semicolon-, tab- or bar-separated text: the delimiter is found by itself. */
export function readCsv(file: string, text: string, options: ReadOptions): RawCalendar {
  const named = SEPARATOR_LINE.exec(text);
  const start = skipBlankLines(text, named?.[0].length ?? 0);
  const delimiter = named?.[1] ?? sniffDelimiter(text, start, options.columns);
  return readTable(file, text, start, delimiter, options);
}

/** Reads a table with the delimiter given. `start` is where the header is looked for. */
export function readTable(
  file: string,
  text: string,
  start: number,
  delimiter: string,
  options: ReadOptions,
): RawCalendar {
  const source = new SourceText(file, text);
  const reader = new TableReader({ source, delimiter }, options);
  const faults = readRecords(text, start, delimiter, (record, offset) => reader.visit(record, offset));
  const problems = faults.map((each) => problem(each.code, each.message, source.at(each.start, each.end)));
  return {
    file,
    rows: reader.rows,
    problems: inFileOrder([...problems, ...reader.finish(faults.length > 0)]),
    sourceLine: (line) => source.line(line),
  };
}

function skipBlankLines(text: string, start: number): number {
  let offset = start;
  for (let next = skipLineEnd(text, offset); next !== offset; next = skipLineEnd(text, offset)) offset = next;
  return offset;
}

/** Turns records into a header and rows. Blank records are skipped, before the header too. */
class TableReader {
  readonly rows: CsvRow[] = [];
  readonly #problems: Problem[] = [];
  readonly #table: Table;
  readonly #options: ReadOptions;
  #header: Header | undefined;

  constructor(table: Table, options: ReadOptions) {
    this.#table = table;
    this.#options = options;
  }

  visit(record: readonly string[], start: number): void {
    if (record.every(isBlank)) return;
    if (this.#header === undefined) this.#readHeader(record, start);
    else if (this.#header.complete) this.#readRow(this.#header, record, start);
  }

  /** What can be said only at the end. `faulty`: records were left out. */
  finish(faulty: boolean): readonly Problem[] {
    const { file } = this.#table.source;
    if (this.#header === undefined) {
      const message =
        "The file is empty. Its first row must name the columns, for example content,date,time,platforms.";
      return faulty ? [] : [problem("csv/no-header", message, { file, line: 1, column: 1 })];
    }
    const unknown = unknownColumns(this.#table, this.#header, this.#header.filledUnnamed);
    if (this.rows.length > 0 || faulty || this.#problems.length > 0) return [...this.#problems, ...unknown];
    return [...unknown, problem("calendar/empty", "The calendar has a header but no rows.", { file })];
  }

  #readHeader(names: readonly string[], start: number): void {
    const columns = mapColumns(names, this.#options.columns);
    const used = [...columns.fields.entries()].flatMap(([column, field]) =>
      field === undefined ? [] : [{ column, field }],
    );
    const table = { ...this.#table, fields: columns.fields };
    const complete = isComplete(columns);
    this.#header = { names, start, columns, complete, used, table, filledUnnamed: new Set() };
    this.#problems.push(...headerProblems(this.#table, this.#header));
  }

  #readRow(header: Header, record: readonly string[], start: number): void {
    const extra = record.length > header.names.length ? firstExtra(record, header.names.length) : -1;
    if (extra !== -1) {
      this.#problems.push(this.#raggedRow(header, record.length, start, extra));
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
    this.rows.push(new CsvRow(header.table, start, cells));
  }

  #raggedRow(header: Header, cells: number, start: number, extra: number): Problem {
    const message =
      `The row has ${cells} cells, but the header names ${header.names.length} columns. ` +
      `Put a cell that holds ${delimiterName(this.#table.delimiter)} in quotes.`;
    return problem("csv/ragged-row", message, placeOfCell(this.#table, start, extra));
  }
}

/** The header row, understood. */
interface Header {
  readonly names: readonly string[];
  readonly start: number;
  readonly columns: Columns;
  /** The columns that every post needs are there. Without them each row would only repeat what is missing. */
  readonly complete: boolean;
  readonly used: readonly { readonly column: number; readonly field: Field }[];
  readonly table: Table & { readonly fields: readonly (Field | undefined)[] };
  /** Columns without a name that hold something all the same. */
  readonly filledUnnamed: Set<number>;
}

function firstExtra(record: readonly string[], width: number): number {
  return record.findIndex((cell, column) => column >= width && !isBlank(cell));
}

function delimiterName(delimiter: string): string {
  return delimiter === "\t" ? "a tab" : `\`${delimiter}\``;
}
