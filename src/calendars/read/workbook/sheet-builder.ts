/** Collects the rows of a sheet, within the size that Excel allows. */

import { MAX_COLUMNS } from "../format.ts";
import { type Area, type Hidden, type Sheet, type SheetCell, type SheetRow, cellName, damaged, tooLarge } from "./workbook.ts";

/** Excel's own limit. */
const MAX_ROWS = 1_048_576;
/** Cells up to the last of each row that holds something, in what is read at a time: 100,000 rows of 50 columns. */
const MAX_CELLS = 5_000_000;
/** Merged areas, and links. */
const MAX_MARKS = 200_000;

/** Counts the cells of sheets that are held together. */
export class CellCount {
  #count = 0;

  add(cells: number): void {
    this.#count += cells;
    if (this.#count > MAX_CELLS) throw tooLarge(`it has more than ${MAX_CELLS} cells`);
  }
}

/** Gathers a sheet, row by row, within limits that hold whatever a file says. */
export class SheetBuilder {
  readonly #rows: SheetRow[] = [];
  readonly #merged: Area[] = [];
  readonly #links = new Map<string, string>();
  readonly #count: CellCount;
  #cells: (SheetCell | undefined)[] = [];
  #number = 0;

  constructor(count: CellCount) {
    this.#count = count;
  }

  /** Rows so far that hold something. */
  get rowCount(): number {
    return this.#rows.length;
  }

  /** Begins a row. Rows come in order, as all programs write them. */
  beginRow(number: number): void {
    if (!Number.isInteger(number) || number <= this.#number) {
      throw damaged(`its row ${number} comes after row ${this.#number}`);
    }
    this.#number = number;
    this.#cells = [];
  }

  /** Puts a cell into the row. Cells that show nothing cost nothing. */
  cell(column: number, cell: SheetCell): void {
    if (cell === "") return;
    const name = cellName(this.#number, column);
    if (column >= MAX_COLUMNS) throw tooLarge(`${name} has content, but is too far to the right`);
    if (this.#cells[column] !== undefined) throw damaged(`${name} is there twice`);
    this.#count.add(Math.max(1, column + 1 - this.#cells.length));
    while (this.#cells.length < column) this.#cells.push(undefined);
    this.#cells[column] = cell;
  }

  /** Ends the row. `times`: the rows that follow are like it, this one counted. */
  endRow(hidden: Hidden | undefined, times = 1): void {
    const first = this.#number;
    // A copy has no room to grow, which an array that was filled bit by bit keeps.
    const cells = this.#cells.slice();
    this.#number += times - 1;
    if (cells.length === 0) return;
    if (this.#number > MAX_ROWS) throw tooLarge(`row ${this.#number} has content, but is too far down`);
    this.#count.add(cells.length * (times - 1));
    for (let number = first; number <= this.#number; number += 1) this.#rows.push({ number, cells, hidden });
  }

  merge(area: Area): void {
    this.#merged.push(area);
    if (this.#merged.length > MAX_MARKS) throw tooLarge(`it has more than ${MAX_MARKS} merged areas`);
  }

  /** Notes where a cell leads, by its name. */
  link(cell: string, target: string): void {
    this.#links.set(cell, target);
    if (this.#links.size > MAX_MARKS) throw tooLarge(`it has more than ${MAX_MARKS} links`);
  }

  /** `filtered` are the areas whose filters hide rows, as far as rows do not say that themselves. */
  finish(filtered: readonly Area[] = []): Sheet {
    const byFilter = ({ number }: SheetRow): boolean =>
      filtered.some(({ top, bottom }) => number > top && number <= bottom);
    const rows = this.#rows.map((row) =>
      row.hidden === "hand" && byFilter(row) ? { ...row, hidden: "filter" as const } : row,
    );
    return { rows, merged: this.#merged, links: this.#links };
  }
}

/** V8 keeps parts of a string shorter than this as strings of their own. */
const SHARED_FROM = 13;

/**
 * The same text in memory of its own. What is cut out of a large text shares its memory, so that one cell would keep
 * alive the piece of the file in which it stood.
 */
export function detachText(text: string): string {
  return text.length < SHARED_FROM ? text : Buffer.from(text).toString();
}
