import { mapColumns } from "./columns.ts";
import { cellText, scanRecord } from "./csv-cells.ts";

/** The likelier first: it is taken where nothing tells two apart. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Longest header that is looked at, UTF-16 units. */
const HEADER_UNITS = 65_536;

/**
 * The delimiter of a table whose header starts at an offset: the one that yields the most known columns, then the
 * most columns. Only the header counts, because captions hold commas and semicolons at will.
 */
export function sniffDelimiter(
  text: string,
  start: number,
  mapping: Readonly<Record<string, string>>,
): string {
  const head = text.slice(start, start + HEADER_UNITS);
  const scores = DELIMITERS.map((delimiter) => {
    const header = Array.from(scanRecord(head, 0, delimiter), (cell) => cellText(head, cell));
    const known = new Set(mapColumns(header, mapping).fields);
    known.delete(undefined);
    return { delimiter, known: known.size, cells: header.length };
  });
  const [best] = scores.toSorted((a, b) => b.known - a.known || b.cells - a.cells);
  return best?.delimiter ?? ",";
}
