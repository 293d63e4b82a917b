/** Reads delimited text as a table, and finds out its delimiter. */

import type { Sourced } from "../../../model/columns.ts";
import { type Position, problem } from "../../../model/problem.ts";
import type { RawCalendar } from "../../../model/row.ts";
import { mapColumns, mapPositions } from "../../columns/columns.ts";
import { MAX_COLUMNS, type ReadOptions, type TableSource } from "../../read/format.ts";
import { SourceText, inFileOrder } from "../../read/source-text.ts";
import { TableReader } from "../../read/table-reader.ts";
import { cellValue, readRecords, scanRecord, skipLineEnd } from "./records.ts";

/** Excel's own first line that names the delimiter, e.g. `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|[\r\n]|$)/i;

/** Reads text separated by commas, semicolons, tabs or bars. Detects the delimiter. */
export function readCsv(file: string, text: string, options: ReadOptions): RawCalendar {
  const named = SEPARATOR_LINE.exec(text);
  const start = skipBlankLines(text, named?.[0].length ?? 0);
  const delimiter = named?.[1] ?? sniffDelimiter(text, start, options);
  return readDelimited(file, text, start, { value: delimiter, isExplicit: named !== null }, options);
}

/** Reads text with the given delimiter. `start` is where the search for the header begins. */
function readDelimited(
  file: string,
  text: string,
  start: number,
  { value: delimiter, isExplicit: isSaid }: Sourced<string>,
  options: ReadOptions,
): RawCalendar {
  const source = new SourceText(file, text);
  const reader = new TableReader(new CsvSource(source, delimiter), options);
  const faults = readRecords(text, start, delimiter, (cells, offset) => {
    reader.visit({ cells, number: offset });
    return !reader.isStopped;
  });
  const broken = faults.map((each) => problem(each.code, each.message, source.at(each.start, each.end)));
  const { rows, problems, table, notes, account } = reader.finish(faults.length > 0);
  return {
    file,
    rows,
    problems: inFileOrder([...broken, ...problems]),
    table:
      table === undefined ? undefined : { ...table, delimiter: { value: delimiter, isExplicit: isSaid } },
    notes,
    account,
    sourceLine: (line) => source.line(line),
  };
}

function skipBlankLines(text: string, start: number): number {
  let offset = start;
  for (let next = skipLineEnd(text, offset); next !== offset; next = skipLineEnd(text, offset)) offset = next;
  return offset;
}

/** Reads tab-separated text. Quotes work as in CSV: that is how spreadsheets write cells with line ends. */
export function readTsv(file: string, text: string, options: ReadOptions): RawCalendar {
  return readDelimited(file, text, 0, { value: "\t", isExplicit: true }, options);
}

/** The cells of delimited text. A record is identified by the offset at which it starts. */
class CsvSource implements TableSource {
  readonly hasFormulaTexts = true;
  readonly #source: SourceText;
  readonly #delimiter: string;

  constructor(source: SourceText, delimiter: string) {
    this.#source = source;
    this.#delimiter = delimiter;
  }

  get file(): string {
    return this.#source.file;
  }

  get surplusRemedy(): string {
    const name = this.#delimiter === "\t" ? "a tab" : `\`${this.#delimiter}\``;
    return `Put a cell that contains ${name} in quotes.`;
  }

  lineOf(record: number): number {
    return this.#source.lineOf(record);
  }

  at(record: number, column?: number): Position {
    if (column === undefined) return this.#source.at(record);
    let index = 0;
    for (const cell of scanRecord(this.#source.text, record, this.#delimiter)) {
      if (index === column) return this.#source.at(cell.start, cell.end);
      index += 1;
    }
    return this.#source.at(record);
  }
}

/** The most likely first: it wins a tie. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Longest header that is checked, in UTF-16 units. */
const HEADER_UNITS = 65_536;

/** Looks like a date and time, with no delimiter but the comma of `Jan 05, 2026`. */
const TIME_LIKE = /^(?:\p{L}{3,9}\.? \d{1,2}, )?[\d\p{L}/:. +-]{5,30}$/u;

/**
 * The delimiter of a table whose header starts at an offset: the delimiter that gives the most known columns, then the
 * most columns. Only the header counts, because captions contain commas and semicolons. Without a header, the delimiter
 * must give a time in the column that the project names.
 */
function sniffDelimiter(
  text: string,
  start: number,
  { columns, header_row }: Pick<ReadOptions, "columns" | "header_row">,
): string {
  const head = text.slice(start, start + HEADER_UNITS);
  const split = DELIMITERS.map((delimiter) => {
    const cells = scanRecord(head, 0, delimiter).map((cell) => cellValue(head, cell));
    return { delimiter, count: cells.length, seen: cells.slice(0, MAX_COLUMNS) };
  });
  const best = (from: typeof split): { readonly delimiter: string; readonly known: number } | undefined =>
    from
      .map(({ delimiter, count, seen }) => {
        const known = header_row === "none" ? countTimes(seen, columns) : countColumnNames(seen, columns);
        return { delimiter, count, known };
      })
      .toSorted((a, b) => b.known - a.known || b.count - a.count)[0];
  // A single cell is at most one known column, so it cannot win against several cells with one.
  const ofSeveral = best(split.filter(({ count }) => count > 1));
  return (ofSeveral !== undefined && ofSeveral.known > 0 ? ofSeveral : best(split))?.delimiter ?? ",";
}

function countColumnNames(header: readonly string[], columns: ReadOptions["columns"]): number {
  const known = new Set(mapColumns(header, columns).fields);
  known.delete(undefined);
  return known.size;
}

function countTimes(row: readonly string[], columns: ReadOptions["columns"]): number {
  const { fields } = mapPositions(columns);
  const times = row.filter((_cell, column) => ["scheduled_at", "date"].includes(fields[column] ?? ""));
  return times.filter((cell) => TIME_LIKE.test(cell.trim()) && /\d/.test(cell)).length;
}
