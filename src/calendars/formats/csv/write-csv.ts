/** Writes a calendar as CSV, so that no spreadsheet takes a text for a formula. */

import { type Cell, cellText } from "../../../model/row.ts";
import { guarded, guardedHeader, needsGuard } from "../../columns/formula-guard.ts";
import {
  type WriteOutput,
  type WrittenRow,
  columnsOf,
  faultsIn,
  headerOf,
  tableFaults,
  tableText,
} from "../written-row.ts";

/**
 * Writes comma-separated text in UTF-8 (RFC 4180, with the line ends of git). A column with a cell that a spreadsheet
 * would run as a formula is guarded (see formula-guard.ts).
 */
export function writeCsv(rows: readonly WrittenRow[]): WriteOutput {
  const faults = [...tableFaults(rows), ...faultsIn(rows, nulFault)];
  if (faults.length > 0) return { faults };
  const columns = columnsOf(rows).map((name) => {
    const isGuarded = rows.some((row) => needsGuard(tableText(row, name)));
    return { name, isGuarded };
  });
  const header = columns.map(({ name, isGuarded }) =>
    isGuarded ? guardedHeader(headerOf(name)) : headerOf(name),
  );
  const records = rows.map((row) =>
    columns.map(({ name, isGuarded }) => {
      const text = tableText(row, name);
      return isGuarded ? guarded(text) : text;
    }),
  );
  return { contents: csvText([header, ...records]) };
}

/** Records as comma-separated text. Cells that a spreadsheet would run as formulas must be guarded. */
export function csvText(records: readonly (readonly string[])[]): string {
  return `${records.map((cells) => cells.map((text) => csvCell(text)).join(",")).join("\n")}\n`;
}

/** Quoted if necessary, or if another program might misread a separator or a space. */
export function csvCell(text: string, delimiter = ",", isQuoted = false): string {
  const mustBe = isQuoted || text.includes(delimiter) || /[",;\t\r\n]|^\s|\s$/.test(text);
  return mustBe ? `"${text.replaceAll('"', '""')}"` : text;
}

function nulFault(cell: Cell): string | undefined {
  const hasNul = cellText(cell).includes("\0");
  return hasNul ? "The text contains a NUL character, which CSV does not allow. Remove it." : undefined;
}
