/** A spreadsheet file as the rest of reading sees it, whatever its format. */

export interface Workbook {
  /** In the order of their tabs. */
  readonly sheets: readonly SheetInfo[];
  /**
   * Reads a sheet, given by its index. With `maxRows`, no more than about its first rows that hold something.
   * Throws a WorkbookFault.
   */
  readSheet(index: number, maxRows?: number): Promise<Sheet>;
}

export interface SheetInfo {
  readonly name: string;
  readonly hidden: boolean;
}

export interface Sheet {
  /** Those that hold something, by number. */
  readonly rows: readonly SheetRow[];
  readonly merged: readonly Area[];
  /** Where cells lead that are links, by the cell's name such as `C14`. */
  readonly links: ReadonlyMap<string, string>;
}

export interface SheetRow {
  /** From 1, as the spreadsheet shows it. */
  readonly number: number;
  /** By column, from 0. Blank cells are absent. */
  readonly cells: readonly (SheetCell | undefined)[];
  readonly hidden: Hidden | undefined;
}

/** By hand (or by a closed group), or by a filter. */
export type Hidden = "hand" | "filter";

/** The text that a cell shows; or what it shows and why that is not to be taken as it is. */
export type SheetCell = string | DoubtfulCell;

export interface DoubtfulCell {
  /**
   * `error`: what a formula shows that went wrong. `no-result`: a formula that nobody has calculated. `merged`: blank,
   * but one with a cell above it, which shows the text.
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
