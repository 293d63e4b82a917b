/**
 * A spreadsheet file in one form for all formats, within the size that Excel allows; and names of cells and areas, such
 * as `C14` and `A4:B6`. Rows count from 1, columns from 0.
 */

import { columnLetters } from "../../../model/columns.ts";
import type { Code } from "../../../problems/catalogue.ts";
import { MAX_COLUMNS } from "../../read/format.ts";

export interface Workbook {
  /** Listed in the order of their tabs. */
  readonly sheets: readonly SheetInfo[];
  /** Reads a sheet by its index. With `maxRows`, reads only about as many rows with content. Throws a WorkbookFault. */
  readSheet(index: number, maxRows?: number): Promise<Sheet>;
}

export interface SheetInfo {
  readonly name: string;
  readonly hidden: boolean;
}

export interface Sheet {
  /** Rows with content, by number. */
  readonly rows: readonly SheetRow[];
  readonly merged: readonly Area[];
  /** Targets of the cells that are links, by the cell's name such as `C14`. */
  readonly links: ReadonlyMap<string, string>;
  /** By the cell's name. */
  readonly marks: ReadonlyMap<string, CellMark>;
}

/** What a person sees in a cell besides its text. */
export interface CellMark {
  /** Whether its text, or a part of it, is struck through. */
  readonly struck?: "all" | "part";
  /** The text of its comment. */
  readonly note?: string;
}

export interface SheetRow {
  /** From 1, as the spreadsheet shows it. */
  readonly number: number;
  /** Keyed by column, from 0. Blank cells are absent. */
  readonly cells: readonly (SheetCell | undefined)[];
  readonly isHidden: boolean;
  /** The colours behind its texts; undefined if there are none. */
  readonly colours?: string | undefined;
}

/** The text that a cell shows. If it cannot be used, also why. */
export type SheetCell = string | DoubtfulCell;

export interface DoubtfulCell {
  /**
   * `error`: a formula that failed. `no-result`: a formula that nobody has calculated. `merged`: a blank cell that is
   * merged with the cell above, whose text it has.
   */
  readonly kind: "error" | "no-result" | "merged";
  readonly text: string;
}

/** A rectangle of cells: rows from 1, columns from 0, both ends inside. */
export interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const TEXTS = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!"];

/** Cells with the same error share it: a column of failed lookups may have a million cells. */
const COMMON = new Map(TEXTS.map((text) => [text, { kind: "error", text }] as const));

/** A cell with a failed formula; `text` is what it shows. */
export function errorCell(text: string): DoubtfulCell {
  return COMMON.get(text) ?? { kind: "error", text };
}

/** A cell whose formula was never calculated. */
export const NO_RESULT: DoubtfulCell = { kind: "no-result", text: "(a formula)" };

/** Why a file cannot be read as a workbook, for the person who has to fix it. */
export class WorkbookFault extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = "WorkbookFault";
    this.code = code;
  }
}

/**
 * The file is incomplete, or has content that no spreadsheet program writes. `what` is a clause, such as `it ends too
 * soon`.
 */
export function damaged(what: string): WorkbookFault {
  const message = `The workbook is damaged: ${what}. Get a new copy, or open it in a spreadsheet program and save it.`;
  return new WorkbookFault("calendar/unknown-format", message);
}

/** The file needs too much memory. `what` is a clause. */
export function tooLarge(what: string): WorkbookFault {
  return new WorkbookFault("calendar/too-large", `The workbook is too large to be a calendar: ${what}.`);
}

/** The workbook asks for a password before it shows anything. */
export function passwordNeeded(): WorkbookFault {
  const message =
    "plancast cannot read the workbook, because it has a password. Save it without one: in Excel under File, Info, Protect Workbook, Encrypt with Password.";
  return new WorkbookFault("calendar/unknown-format", message);
}

/** The workbook holds programs. `format`: save it in this format, without them. */
export function macrosNotAllowed(format: string): WorkbookFault {
  const message = `The workbook contains macros, which are programs, and plancast does not read workbooks with macros. Save it as ${format} without macros.`;
  return new WorkbookFault("calendar/unknown-format", message);
}

/** The file's content does not match its name. `what`: what the file is, with an article. `way`: what to do, as a sentence. */
export function wrongKind(what: string, way: string): WorkbookFault {
  return new WorkbookFault(
    "calendar/unknown-format",
    `The file's content does not match its name: it is ${what}. ${way}`,
  );
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** `C14` for row 14, column 2. */
export function cellName(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}

/** A cell with its sheet, such as `Plan!C14`. A sheet name of several words is in quotes, as in formulas. */
export function cellInSheet(sheet: string, row: number, column: number): string {
  const name = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${cellName(row, column)}`;
}

/** The place of a cell by its name; undefined for other text. */
export function parseCellName(name: string): Place | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(name) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits), column: column - 1 };
}

/** The area of a name such as `A4:B6`, or of one cell; undefined for other text. */
export function parseArea(name: string): Area | undefined {
  const [first = "", second = first, ...rest] = name.split(":");
  const from = parseCellName(first);
  const to = parseCellName(second);
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  return {
    top: Math.min(from.row, to.row),
    bottom: Math.max(from.row, to.row),
    left: Math.min(from.column, to.column),
    right: Math.max(from.column, to.column),
  };
}

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
  endRow(isHidden: boolean, times = 1): void {
    const first = this.#number;
    // A copy drops the spare capacity of a growing array.
    const cells = this.#cells.slice();
    this.#number += times - 1;
    if (cells.length === 0) return;
    if (this.#number > MAX_ROWS) throw tooLarge(`row ${this.#number} has content, but is too far down`);
    this.#count.add(cells.length * (times - 1));
    const colours = this.#colours === undefined ? undefined : [...this.#colours].sort().join(" ");
    for (let number = first; number <= this.#number; number += 1)
      this.#rows.push({ number, cells, isHidden, colours });
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

  finish(): Sheet {
    return { rows: this.#rows, merged: this.#merged, links: this.#links, marks: this.#marks };
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
