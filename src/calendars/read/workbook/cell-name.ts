/** Names of cells and areas, such as `C14` and `A4:B6`. Rows count from 1, columns from 0. */

import { columnLetters } from "../../../model/columns.ts";
import type { Area } from "./workbook.ts";

interface Place {
  readonly row: number;
  readonly column: number;
}

/** `C14` for row 14, column 2. */
export function cellName(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}

/** A cell with its sheet, such as `Plan!C14`; a name that is more than one word in quotes, as in formulas. */
export function cellInSheet(sheet: string, row: number, column: number): string {
  const name = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${cellName(row, column)}`;
}

/** The place of a cell's name; undefined when it is none. */
export function parseCellName(name: string): Place | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(name) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits), column: column - 1 };
}

/** The area of a name such as `A4:B6`, or of one cell; undefined when it is none. */
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
