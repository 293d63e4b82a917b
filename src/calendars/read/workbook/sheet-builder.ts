/** Collects the rows of a sheet, within the size that Excel allows. */

import { MAX_COLUMNS } from "../format.ts";
import {
  type Area,
  type CellMark,
  type Hidden,
  type Sheet,
  type SheetCell,
  type SheetRow,
  cellName,
  damaged,
  tooLarge,
} from "./workbook.ts";

/** Excel's own limit. */
const MAX_ROWS = 1_048_576;
/** Limit for the cells that are read together, up to the last used one of each row: 100,000 rows of 50 columns. */
const MAX_CELLS = 5_000_000;
/** Merged areas, links, and marks. */
const MAX_MARKS = 200_000;

/** Counts the cells of sheets that are in memory together. */
export class CellCount {
  #count = 0;

  add(cells: number): void {
    this.#count += cells;
    if (this.#count > MAX_CELLS) throw tooLarge(`it has more than ${MAX_CELLS} cells`);
  }
}

/** Collects a sheet row by row, within limits that no file can exceed. */
export class SheetBuilder {
  readonly #rows: SheetRow[] = [];
  readonly #merged: Area[] = [];
  readonly #links = new Map<string, string>();
  readonly #marks = new Map<string, CellMark>();
  readonly #count: CellCount;
  #cells: (SheetCell | undefined)[] = [];
  #number = 0;
  #colours: Set<string> | undefined;

  constructor(count: CellCount) {
    this.#count = count;
  }

  /** Rows with content so far. */
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
    this.#colours = undefined;
  }

  /** Adds a cell to the row. Empty cells use no memory. */
  cell(column: number, cell: SheetCell): void {
    if (cell === "") return;
    const name = cellName(this.#number, column);
    if (column >= MAX_COLUMNS) throw tooLarge(`${name} has content, but is too far to the right`);
    if (this.#cells[column] !== undefined) throw damaged(`${name} is there twice`);
    this.#count.add(Math.max(1, column + 1 - this.#cells.length));
    while (this.#cells.length < column) this.#cells.push(undefined);
    this.#cells[column] = cell;
  }

  /** Adds the colour behind a text of the row. */
  colour(colour: string): void {
    this.#colours ??= new Set();
    this.#colours.add(colour);
  }

  /** Ends the row. `times`: how often the row is repeated, including this one. */
  endRow(hidden: Hidden | undefined, times = 1): void {
    const first = this.#number;
    // A copy drops the spare capacity of a growing array.
    const cells = this.#cells.slice();
    this.#number += times - 1;
    if (cells.length === 0) return;
    if (this.#number > MAX_ROWS) throw tooLarge(`row ${this.#number} has content, but is too far down`);
    this.#count.add(cells.length * (times - 1));
    const colours = this.#colours === undefined ? undefined : [...this.#colours].sort().join(" ");
    for (let number = first; number <= this.#number; number += 1)
      this.#rows.push({ number, cells, hidden, colours });
  }

  merge(area: Area): void {
    this.#merged.push(area);
    if (this.#merged.length > MAX_MARKS) throw tooLarge(`it has more than ${MAX_MARKS} merged areas`);
  }

  /** Records the link of a cell, by the cell's name. */
  link(cell: string, target: string): void {
    this.#links.set(cell, target);
    if (this.#links.size > MAX_MARKS) throw tooLarge(`it has more than ${MAX_MARKS} links`);
  }

  /** Records what a cell shows, by the cell's name. */
  mark(cell: string, mark: CellMark): void {
    this.#marks.set(cell, { ...this.#marks.get(cell), ...mark });
    if (this.#marks.size > MAX_MARKS)
      throw tooLarge(`it has more than ${MAX_MARKS} comments and struck texts`);
  }

  /** `filtered`: areas whose filters hide rows, if the rows are not marked as hidden. */
  finish(filtered: readonly Area[] = []): Sheet {
    const byFilter = ({ number }: SheetRow): boolean =>
      filtered.some(({ top, bottom }) => number > top && number <= bottom);
    const rows = this.#rows.map((row) =>
      row.hidden === "hand" && byFilter(row) ? { ...row, hidden: "filter" as const } : row,
    );
    return { rows, merged: this.#merged, links: this.#links, marks: this.#marks };
  }
}

/** V8 copies slices of a string that are shorter than this. */
const SHARED_FROM = 13;

/**
 * The same text in its own memory. A slice of a large text shares its memory, so one cell would keep a whole piece of
 * the file alive.
 */
export function detachText(text: string): string {
  return text.length < SHARED_FROM ? text : Buffer.from(text).toString();
}
