/**
 * The cells of delimited text, in two ways: their values, quickly and by the rules (RFC 4180); and where they stand, for
 * the few records that a problem points into. The latter is lenient: a quote that breaks the rules is text, and noted.
 */

/** A cell, quotes included: offsets in the text, `end` exclusive. */
export interface ScannedCell {
  readonly start: number;
  readonly end: number;
  /** The first quote that breaks the rules: within an unquoted cell, or neither doubled nor last in a quoted one. */
  readonly bareQuote?: number;
  /** The cell opens with a quote that nothing closes; it runs to the end of the text. */
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

/** The cells of the record that starts at an offset, one by one. */
export function* scanRecord(text: string, start: number, delimiter: string): Generator<ScannedCell, void> {
  let cell = scanCell(text, start, delimiter);
  yield cell;
  while (text[cell.end] === delimiter) {
    cell = scanCell(text, cell.end + 1, delimiter);
    yield cell;
  }
}

/** The values of a record, and where the next one starts. */
export interface ReadRecord {
  readonly cells: readonly string[];
  readonly next: number;
}

const [LINE_FEED, CARRIAGE_RETURN, QUOTE] = [10, 13, 34];

/** Reads the record that starts at an offset; undefined where a quote breaks the rules. */
export function readRecord(text: string, start: number, delimiter: string): ReadRecord | undefined {
  const unit = delimiter.charCodeAt(0);
  const cells: string[] = [];
  let end = start - 1;
  do {
    const from = end + 1;
    const isQuoted = text.charCodeAt(from) === QUOTE;
    end = isQuoted ? endOfQuoted(text, from) : endOfPlain(text, from, unit);
    if (end === -1 || !endsCell(text[end], delimiter)) return undefined;
    cells.push(isQuoted ? unquoted(text, from, end) : text.slice(from, end));
  } while (text.charCodeAt(end) === unit);
  return { cells, next: skipLineEnd(text, end) };
}

/** Where the text ends that starts at an offset; at a quote, if one stands in it. */
function endOfPlain(text: string, start: number, delimiter: number): number {
  let offset = start;
  for (; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === delimiter || unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === QUOTE) break;
  }
  return offset;
}

/** The offset after the closing quote; -1 where there is none. */
function endOfQuoted(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote === -1 ? -1 : quote + 1;
}

function unquoted(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('"') ? inner.replaceAll('""', '"') : inner;
}

/** The value of a cell, without quotes around it. */
export function cellValue(text: string, cell: ScannedCell): string {
  if (text[cell.start] !== '"') return text.slice(cell.start, cell.end);
  return text.slice(cell.start + 1, cell.unclosed === true ? cell.end : cell.end - 1).replaceAll('""', '"');
}

/** Offset after the line end that stands at an offset, if one does. */
export function skipLineEnd(text: string, offset: number): number {
  if (text[offset] === "\r" && text[offset + 1] === "\n") return offset + 2;
  return text[offset] === "\n" || text[offset] === "\r" ? offset + 1 : offset;
}

/** Whether a cell holds nothing but white space, of any kind that Unicode knows. */
export function isBlank(cell: string): boolean {
  if (cell === "") return true;
  const unit = cell.charCodeAt(0);
  if (unit > 32 && unit < 127) return false;
  return cell.trim() === "";
}
