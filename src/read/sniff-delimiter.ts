import { mapColumns, mapPositions } from "./columns.ts";
import { cellValue, scanRecord } from "./csv-cells.ts";
import type { ReadOptions } from "./format.ts";

/** The likelier first: it is taken where nothing tells two apart. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Longest header that is looked at, UTF-16 units. */
const HEADER_UNITS = 65_536;

/** What is like a date and time, and holds no delimiter but the comma of `Jan 05, 2026`. */
const TIME_LIKE = /^(?:\p{L}{3,9}\.? \d{1,2}, )?[\d\p{L}/:. +-]{5,30}$/u;

/**
 * The delimiter of a table whose header starts at an offset: the one that yields the most known columns, then the
 * most columns. Only the header counts, because captions hold commas and semicolons at will; without one, whether
 * there is a time where the project says that it stands.
 */
export function sniffDelimiter(
  text: string,
  start: number,
  { columns, header_row }: Pick<ReadOptions, "columns" | "header_row">,
): string {
  const head = text.slice(start, start + HEADER_UNITS);
  const scores = DELIMITERS.map((delimiter) => {
    const first = Array.from(scanRecord(head, 0, delimiter), (cell) => cellValue(head, cell));
    const known = header_row === "none" ? countTimes(first, columns) : countColumnNames(first, columns);
    return { delimiter, known, cells: first.length };
  });
  const [best] = scores.toSorted((a, b) => b.known - a.known || b.cells - a.cells);
  return best?.delimiter ?? ",";
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
