/**
 * Where the cells of a record stand. csv-parse reads the values; it knows no columns, so the few records that a
 * problem points into are scanned again. The scan is lenient: a quote that breaks the rules is text, and noted.
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

/** Offsets at which the records of a text without faults start. */
export function* recordStarts(text: string, start: number, delimiter: string): Generator<number, void> {
  const unit = delimiter.charCodeAt(0);
  for (let at = start; at < text.length; at = skipLineEnd(text, endOfRecord(text, at, unit))) yield at;
}

function endOfRecord(text: string, start: number, delimiter: number): number {
  let end = endOfCell(text, start, delimiter);
  while (text.charCodeAt(end) === delimiter) end = endOfCell(text, end + 1, delimiter);
  return end;
}

function endOfCell(text: string, start: number, delimiter: number): number {
  return text.charCodeAt(start) === 34 ? endOfQuoted(text, start) : endOfPlain(text, start, delimiter);
}

function endOfPlain(text: string, start: number, delimiter: number): number {
  let offset = start;
  for (; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === delimiter || unit === 10 || unit === 13) break;
  }
  return offset;
}

function endOfQuoted(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && text.charCodeAt(quote + 1) === 34) quote = text.indexOf('"', quote + 2);
  return quote === -1 ? text.length : quote + 1;
}

/** The value of a cell, without quotes around it. */
export function cellText(text: string, cell: ScannedCell): string {
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
  const unit = cell.charCodeAt(0);
  if (unit > 32 && unit < 127) return false;
  return cell.trim() === "";
}
