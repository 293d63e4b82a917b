/** Cells of delimited text, replaced one by one: every other character stays as it is. */

import type { UnderstoodTable } from "../../../model/columns.ts";
import { type RawRow, cellText } from "../../../model/row.ts";
import { groupBy } from "../../../model/data.ts";
import { guarded, guardedHeader, guardedName, needsGuard } from "../../columns/formula-guard.ts";
import { type ScannedCell, cellValue, scanRecord } from "./records.ts";
import { SourceText } from "../../read/source-text.ts";
import { csvCell } from "./write-csv.ts";
import {
  type EditFault,
  type EditResult,
  type GridEdit,
  type IdentifyPlatform,
  type RowEdit,
  NO_HEADER,
  RUN_AGAIN,
  headerLine,
  placeColumns,
} from "../row-edit.ts";

interface CsvCalendar {
  readonly file: string;
  readonly rows: readonly RawRow[];
  readonly table?: UnderstoodTable | undefined;
}

/** @param text of the calendar, without a byte order mark */
export function editCsv(
  text: string,
  { file, rows, table }: CsvCalendar,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): EditResult<string> {
  if (table === undefined) throw new Error(`${file} has no table.`);
  const grid = new CsvGrid(new SourceText(file, text), table.delimiter?.value ?? ",");
  const header = headerLine(table);
  const names = header === undefined ? [] : grid.cells(header);
  const { columns, added } = placeColumns(table, edits, identify, names.length);
  if (added.length > 0 && header === undefined)
    return { contents: text, faults: edits.map(({ row }) => ({ row, message: NO_HEADER })) };
  const faults: EditFault[] = [];
  const cells: GridEdit[] = [];
  const guards = new Guards(grid, rows, header);
  for (const { row, cells: wanted } of edits) {
    const line = rows[row]?.line ?? 0;
    const own = [...wanted].map(([name, cell]) => {
      return { line, column: columns.get(name) ?? 0, text: cellText(cell) };
    });
    const wrong = own.map(({ column, text: value }) => guards.unguardableReason(column, value));
    const message = wrong.find((each) => each !== undefined);
    if (message === undefined)
      cells.push(...own.map((each) => ({ ...each, text: guards.guard(each.column, each.text) })));
    else faults.push({ row, message });
  }
  if (header !== undefined && cells.length > 0) {
    const fresh = added.map((name) => ({ column: columns.get(name) ?? 0, name }));
    cells.push(
      ...fresh.map(({ column, name }) => ({ line: header, column, text: guards.header(column, name) })),
    );
    cells.push(...guards.renamed(names.length));
  }
  return { contents: grid.with(cells), faults };
}

/** Which columns get, or have, the mark that an apostrophe protects text from being run as a formula. */
class Guards {
  readonly #grid: CsvGrid;
  readonly #rows: readonly RawRow[];
  readonly #header: number | undefined;
  readonly #needed = new Set<number>();

  constructor(grid: CsvGrid, rows: readonly RawRow[], header: number | undefined) {
    this.#grid = grid;
    this.#rows = rows;
    this.#header = header;
  }

  /**
   * Why plancast cannot make a text safe in its column, and what to do. Undefined if the text is safe, or can be made
   * safe.
   */
  unguardableReason(column: number, text: string): string | undefined {
    if (this.#isMarked(column) || this.#needed.has(column) || !needsGuard(text)) return undefined;
    const [sign = ""] = /^'*\s*./u.exec(text) ?? [];
    const what = `The text begins with ${sign.trim()}, so spreadsheets would read it as a formula`;
    if (this.#header === undefined)
      return `${what}. plancast cannot mark it as text, because the file has no header. Ask for another text, or convert the calendar to YAML with \`plancast convert\`.`;
    const name = this.#grid.value(this.#header, column);
    if (this.#isThere(column) && guardedName(guardedHeader(name)) === undefined)
      return `${what}. plancast cannot mark it as text, because the header "${name}" does not begin with a letter or digit. Rename it, for example to content, and ${RUN_AGAIN}`;
    const alike = this.#rows.find(({ line }) => looksGuarded(this.#grid.value(line, column)));
    return alike === undefined
      ? undefined
      : `${what}. plancast would mark it as text with an apostrophe, but the text in line ${alike.line} of that column already begins with one. Change that text, and ${RUN_AGAIN}`;
  }

  /** The text as it goes into a cell. */
  guard(column: number, text: string): string {
    if (this.#isMarked(column)) return guarded(text);
    if (needsGuard(text)) this.#needed.add(column);
    return guarded(text);
  }

  #isMarked(column: number): boolean {
    return this.#header !== undefined && guardedName(this.#grid.value(this.#header, column)) !== undefined;
  }

  #isThere(column: number): boolean {
    return this.#header !== undefined && column < this.#grid.cells(this.#header).length;
  }

  /** The name of a new column. */
  header(column: number, name: string): string {
    return this.#needed.has(column) ? guardedHeader(name) : name;
  }

  /** Headers of columns that were there before. @param width columns of the header */
  renamed(width: number): GridEdit[] {
    const line = this.#header;
    if (line === undefined) return [];
    return [...this.#needed]
      .filter((column) => column < width)
      .map((column) => ({ line, column, text: guardedHeader(this.#grid.value(line, column)) }));
  }
}

/** Cells that would lose their apostrophe in a guarded column. */
function looksGuarded(cell: string): boolean {
  return cell.startsWith("'") && needsGuard(cell);
}

/** Delimited text by line and column. */
class CsvGrid {
  readonly #source: SourceText;
  readonly #delimiter: string;

  constructor(source: SourceText, delimiter: string) {
    this.#source = source;
    this.#delimiter = delimiter;
  }

  /** The cells of the record that starts on a line. */
  cells(line: number): readonly ScannedCell[] {
    const start = this.#source.offsetOf(line);
    return start === undefined ? [] : scanRecord(this.#source.text, start, this.#delimiter);
  }

  value(line: number, column: number): string {
    const cell = this.cells(line)[column];
    return cell === undefined ? "" : cellValue(this.#source.text, cell);
  }

  /** The text with cells replaced. A record that is too short gets additional cells. */
  with(edits: readonly GridEdit[]): string {
    const { text } = this.#source;
    const lineEnd = onlyLineEnd(text);
    const byLine = groupBy(edits, ({ line }) => line);
    const parts: string[] = [];
    let from = 0;
    for (const [line, own] of [...byLine].sort(([one], [other]) => one - other)) {
      const cells = this.cells(line);
      const end = cells.at(-1)?.end ?? 0;
      let last = cells.length - 1;
      for (const { column, text: value } of own.sort((one, other) => one.column - other.column)) {
        const cell = cells[column];
        // A cell that was quoted stays quoted.
        const isQuoted = cell !== undefined && text[cell.start] === '"';
        const written = csvCell(value.replaceAll("\n", lineEnd), this.#delimiter, isQuoted);
        parts.push(text.slice(from, cell?.start ?? end));
        if (cell === undefined) parts.push(this.#delimiter.repeat(column - last));
        parts.push(written);
        from = cell?.end ?? end;
        last = Math.max(last, column);
      }
    }
    return parts.join("") + text.slice(from);
  }
}

/** The line end of the file, if all are the same. Otherwise, the line end within cells. */
function onlyLineEnd(text: string): string {
  const kinds = new Set(text.match(/\r\n|\n|\r/g));
  const [only = "\n"] = kinds;
  return kinds.size === 1 ? only : "\n";
}
