/** Delimited text: its records (RFC 4180), the places of their cells, and what breaks the rules. */

import { CsvError, parse } from "csv-parse/sync";
import type { Code } from "../../../problems/catalogue.ts";

/** Longest record that is read, in bytes. The longest post of any platform is much shorter. */
const MAX_RECORD_BYTES = 1_048_576;

/** Broken rows that are reported. Nobody reads more of them, and each one needs a new search. */
const MAX_FAULTS = 1_000;

/** A place where the text is not CSV. Offsets are UTF-16 units. */
interface CsvFault {
  readonly code: Code;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Called with each record, blank ones too, and the offset at which it starts. Returns whether it takes more records. */
type Visit = (record: readonly string[], start: number) => boolean;

/** Thrown through csv-parse, which reads on otherwise. */
class StopError extends Error {
  /** Whether to go on with the next record. */
  readonly goesOn: boolean;

  constructor(goesOn: boolean) {
    super("csv-parse stops here.");
    this.goesOn = goesOn;
  }
}

/**
 * Reads the records from an offset on with csv-parse, which decides what a fault is. Skips a record with a fault, unless
 * its quote is never closed: then the rest cannot be read.
 */
export function readRecords(text: string, start: number, delimiter: string, visit: Visit): CsvFault[] {
  const bytes = Buffer.from(text.slice(start));
  const isAscii = bytes.length === text.length - start;
  const faults: CsvFault[] = [];
  // The start of the next record, in two units: csv-parse counts bytes, places need UTF-16 units.
  let byte = 0;
  let offset = start;
  while (byte < bytes.length) {
    const base = byte;
    let length = 0;
    const onRecord: OnRecord = (record, info) => {
      const end = base + info.bytes;
      // A long rest costs much time.
      if (!visit(record, offset)) throw new StopError(false);
      offset += isAscii ? end - byte : bytes.toString("utf8", byte, end).length;
      byte = end;
      // csv-parse describes each record that is not as long as its first one, which costs more time than reading it. If
      // two are equally long, it begins again, so that the next one is its first.
      if (info.error !== undefined && record.length === length) throw new StopError(true);
      length = record.length;
      return null;
    };
    const error = parseFrom(bytes.subarray(base), delimiter, onRecord);
    if (error instanceof StopError && error.goesOn) continue;
    if (error === undefined || error instanceof StopError) break;
    const { fault, resumeAt } = locateFault(text, offset, delimiter, error);
    if (faults.length >= MAX_FAULTS) {
      faults.push({
        ...fault,
        message: `${fault.message} plancast stopped reading here, because too many rows have errors.`,
      });
      break;
    }
    faults.push(fault);
    byte += Buffer.byteLength(text.slice(offset, resumeAt));
    offset = resumeAt;
  }
  return faults;
}

type OnRecord = (
  record: string[],
  info: { readonly bytes: number; readonly error: CsvError | undefined },
) => null;

function parseFrom(bytes: Buffer, delimiter: string, onRecord: OnRecord): CsvError | StopError | undefined {
  try {
    // Rows are collected here, because a fault would lose csv-parse's own result.
    parse(bytes, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      on_record: onRecord,
    });
    return undefined;
  } catch (error) {
    if (error instanceof CsvError || error instanceof StopError) return error;
    throw error;
  }
}

interface Located {
  readonly fault: CsvFault;
  /** Where the lenient scan expects the next record. */
  readonly resumeAt: number;
}

/** Finds what is wrong with the record at an offset, and where it ends. */
function locateFault(text: string, start: number, delimiter: string, error: CsvError): Located {
  let end = start;
  let faulty: ScannedCell | undefined;
  for (const cell of scanRecord(text, start, delimiter)) {
    end = cell.end;
    if (cell.bareQuote !== undefined || cell.unclosed === true) faulty ??= cell;
  }
  const resumeAt = skipLineEnd(text, end);
  if (faulty?.bareQuote !== undefined) return { fault: bareQuote(text, faulty, faulty.bareQuote), resumeAt };
  if (faulty !== undefined) return { fault: unclosedQuote(faulty.start), resumeAt };
  if (error.code === "CSV_MAX_RECORD_SIZE") return { fault: rowTooLong(start, end), resumeAt };
  return {
    fault: { code: "csv/syntax", message: `This is not CSV: ${error.message}.`, start, end },
    resumeAt,
  };
}

function bareQuote(text: string, cell: ScannedCell, quote: number): CsvFault {
  const before = text.slice(cell.start, quote);
  const lost = cell.unclosed === true ? " plancast could not read the rest of the file." : "";
  return { code: "csv/syntax", message: bareQuoteMessage(before) + lost, start: quote, end: quote + 1 };
}

/** What to do about a quote, by the text before it in its cell. */
function bareQuoteMessage(before: string): string {
  if (before.trim() === "") {
    return "There is white space before this quote, so it does not open a quoted cell. Remove the white space.";
  }
  if (!before.startsWith('"')) {
    return 'A quote inside a cell must be doubled (""). Put the whole cell in quotes too.';
  }
  const doubled = 'A quote inside a quoted cell must be doubled ("").';
  if (!/[\r\n]/.test(before)) return doubled;
  const lines = before.split(/\r\n|[\r\n]/).length - 1;
  return `${doubled} The cell opened ${lines} ${lines === 1 ? "line" : "lines"} above: perhaps its closing quote is missing there.`;
}

function unclosedQuote(quote: number): CsvFault {
  const message =
    "No quote closes this cell, so plancast cannot read the rest of the file. Add a quote at its end.";
  return { code: "csv/syntax", message, start: quote, end: quote + 1 };
}

function rowTooLong(start: number, end: number): CsvFault {
  const message = "This row is longer than 1 MB. Shorten it, or look for a missing or extra quote.";
  return { code: "csv/syntax", message, start, end };
}

// A scanner for the places of cells, which only problems and edits need. It is lenient: it accepts a quote that breaks the
// rules (RFC 4180) as text, and notes it.

/** A cell, quotes included: offsets in the text, `end` exclusive. */
export interface ScannedCell {
  readonly start: number;
  readonly end: number;
  /** The first quote that breaks the rules: within an unquoted cell, or neither doubled nor last in a quoted one. */
  readonly bareQuote?: number;
  /** The cell opens with a quote that is never closed, so it runs to the end of the text. */
  readonly unclosed?: true;
}

/** Scans the cell that starts at an offset. */
function scanCell(text: string, start: number, delimiter: string): ScannedCell {
  return text[start] === '"' ? scanQuoted(text, start, delimiter) : scanPlain(text, start, delimiter);
}

function scanPlain(text: string, start: number, delimiter: string): ScannedCell {
  let end = start;
  let bareQuote: number | undefined;
  while (!endsCell(text[end], delimiter)) {
    if (text[end] === '"') bareQuote ??= end;
    end += 1;
  }
  return bareQuote === undefined ? { start, end } : { start, end, bareQuote };
}

function scanQuoted(text: string, start: number, delimiter: string): ScannedCell {
  let bareQuote: number | undefined;
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    const found = bareQuote === undefined ? {} : { bareQuote };
    if (quote === -1) return { start, end: text.length, ...found, unclosed: true };
    const next = text[quote + 1];
    if (next !== '"' && endsCell(next, delimiter)) return { start, end: quote + 1, ...found };
    if (next !== '"') bareQuote ??= quote;
    from = quote + (next === '"' ? 2 : 1);
  }
}

function endsCell(unit: string | undefined, delimiter: string): boolean {
  return unit === undefined || unit === delimiter || unit === "\n" || unit === "\r";
}

/** The cells of the record that starts at an offset; at least one. */
export function scanRecord(text: string, start: number, delimiter: string): ScannedCell[] {
  let cell = scanCell(text, start, delimiter);
  const cells = [cell];
  while (text[cell.end] === delimiter) {
    cell = scanCell(text, cell.end + 1, delimiter);
    cells.push(cell);
  }
  return cells;
}

/** The value of a cell, without quotes around it. */
export function cellValue(text: string, cell: ScannedCell): string {
  if (text[cell.start] !== '"') return text.slice(cell.start, cell.end);
  return text.slice(cell.start + 1, cell.unclosed === true ? cell.end : cell.end - 1).replaceAll('""', '"');
}

/** Offset after the line end at an offset, if there is one. */
export function skipLineEnd(text: string, offset: number): number {
  if (text[offset] === "\r" && text[offset + 1] === "\n") return offset + 2;
  return text[offset] === "\n" || text[offset] === "\r" ? offset + 1 : offset;
}
