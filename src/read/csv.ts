import { problem } from "../calendar/problem.ts";
import type { RawCalendar } from "../calendar/row.ts";
import type { Sourced } from "../calendar/table-columns.ts";
import { skipLineEnd } from "./csv-cells.ts";
import { readRecords } from "./csv-records.ts";
import { CsvSource } from "./csv-source.ts";
import { inFileOrder } from "./file-order.ts";
import type { ReadOptions } from "./format.ts";
import { sniffDelimiter } from "./sniff-delimiter.ts";
import { SourceText } from "./source-text.ts";
import { TableReader } from "./table-reader.ts";

/** Excel's own first line that names the delimiter, e.g. `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|[\r\n]|$)/i;

/** Reads comma-, semicolon-, tab- or bar-separated text: the delimiter is found by itself. */
export function readCsv(file: string, text: string, options: ReadOptions): RawCalendar {
  const named = SEPARATOR_LINE.exec(text);
  const start = skipBlankLines(text, named?.[0].length ?? 0);
  const delimiter = named?.[1] ?? sniffDelimiter(text, start, options);
  return readDelimited(file, text, start, { value: delimiter, isExplicit: named !== null }, options);
}

/** Reads text with the delimiter given. `start` is where the header is looked for. */
export function readDelimited(
  file: string,
  text: string,
  start: number,
  { value: delimiter, isExplicit: isSaid }: Sourced<string>,
  options: ReadOptions,
): RawCalendar {
  const source = new SourceText(file, text);
  const reader = new TableReader(new CsvSource(source, delimiter), options);
  const faults = readRecords(text, start, delimiter, (cells, offset) => reader.visit(cells, offset));
  const broken = faults.map((each) => problem(each.code, each.message, source.at(each.start, each.end)));
  const { rows, problems, table } = reader.finish(faults.length > 0);
  return {
    file,
    rows,
    problems: inFileOrder([...broken, ...problems]),
    table:
      table === undefined ? undefined : { ...table, delimiter: { value: delimiter, isExplicit: isSaid } },
    sourceLine: (line) => source.line(line),
  };
}

function skipBlankLines(text: string, start: number): number {
  let offset = start;
  for (let next = skipLineEnd(text, offset); next !== offset; next = skipLineEnd(text, offset)) offset = next;
  return offset;
}
