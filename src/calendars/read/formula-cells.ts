/**
 * Cells of a text file that hold a formula instead of its result, or what a spreadsheet shows for a formula that failed.
 * Nobody wants to publish them.
 */

import { isAddress } from "../../model/address.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { clipped } from "../../model/text.ts";
import type { Columns } from "../columns/columns.ts";
import { ERROR_VALUE } from "../columns/formula-guard.ts";

interface FormulaProblem {
  readonly column: number;
  readonly found: (at: Position) => Problem;
}

/** A column whose cells may hold formulas. */
export interface FormulaColumn {
  readonly column: number;
  /** Whether a link to a medium means the medium. */
  readonly isMedia: boolean;
}

/** The columns that plancast uses. */
export function formulaColumns({ meanings }: Columns): readonly FormulaColumn[] {
  return meanings.flatMap((meaning, column) =>
    meaning.kind === "used" ? [{ column, isMedia: meaning.as.field === "media" }] : [],
  );
}

/** The cells of a record with what formulas in them show, if that is certain; and the problems of the others. */
export function readFormulas(
  columns: readonly FormulaColumn[],
  cells: readonly string[],
): { readonly cells: readonly string[]; readonly problems: readonly FormulaProblem[] } {
  if (!columns.some(({ column }) => mayBeFormula(cells[column] ?? ""))) return { cells, problems: [] };
  const problems: FormulaProblem[] = [];
  const values = [...cells];
  for (const { column, isMedia } of columns) {
    const cell = readFormulaCell(cells[column] ?? "", isMedia);
    if (cell === undefined) continue;
    if ("problem" in cell) {
      problems.push({ column, found: cell.problem });
      continue;
    }
    values[column] = cell.text;
    const { lostLink } = cell;
    if (lostLink !== undefined) problems.push({ column, found: (at) => lostLinkProblem(lostLink, at) });
  }
  return { cells: values, problems };
}

/** What a cell holds instead of its formula. */
type FormulaCell =
  { readonly text: string; readonly lostLink?: string } | { readonly problem: (at: Position) => Problem };

/** What a formula is: a call, a cell, a sheet's cell, a calculation, or the name of a range. */
const FORMULA =
  /^\{?=\s*(?:[-+]\s*)?(?:[\p{L}_][\p{L}\p{N}_.]*\s*\(|\$?[A-Z]{1,3}\$?\d{1,7}\s*(?:$|[-+*/^&%:<>=])|'[^']+'!|[\p{L}_][\p{L}\p{N}_]*(?:!\$?[A-Z]|$)|[.,(]?\d[-+\d.,*/^&%()\s]*$|"|\([^)]*\)\s*(?:$|[-+*/^&%])|\[)/u;

/** The first letters of formulas and of what spreadsheets show for failed ones, such as `Err:502`. */
const FIRST_SIGNS = "={#Ee";

/** A quick look at the many cells without a formula: at their first character, unless it may be white space. */
function mayBeFormula(cell: string): boolean {
  if (cell === "") return false;
  const unit = cell.charCodeAt(0);
  return unit <= 32 || unit >= 127 || FIRST_SIGNS.includes(cell.charAt(0));
}

const QUOTED = String.raw`"((?:[^"]|"")*)"`;
/** `="0123"`, with which programs keep a spreadsheet from reading a number. */
const PLAIN_TEXT = new RegExp(`^\\s*=\\s*${QUOTED}\\s*$`);
const HYPERLINK = new RegExp(
  `^\\s*=\\s*HYPERLINK\\s*\\(\\s*${QUOTED}\\s*(?:[,;]\\s*${QUOTED}\\s*)?\\)\\s*$`,
  "i",
);
const IMAGE = new RegExp(`^\\s*=\\s*IMAGE\\s*\\(\\s*${QUOTED}[^"]*\\)\\s*$`, "i");

/** A longer cell is a text, in UTF-16 units. A formula is not longer in any spreadsheet. */
const LONGEST_FORMULA = 8_192;

/**
 * Reads a cell that may hold a formula; undefined if it holds none.
 * @param isMedia a link to a medium means the medium
 */
function readFormulaCell(cell: string, isMedia: boolean): FormulaCell | undefined {
  if (!mayBeFormula(cell) || cell.length > LONGEST_FORMULA) return undefined;
  const text = cell.trim();
  if (ERROR_VALUE.test(text)) return { problem: (at) => problem("sheet/formula", failedMessage(text), at) };
  if (!/^\{?=/.test(text) || !FORMULA.test(text)) return undefined;
  const plain = PLAIN_TEXT.exec(text)?.[1];
  if (plain !== undefined) return { text: undoubled(plain) };
  const [link, address, label] = HYPERLINK.exec(text) ?? [];
  if (link !== undefined && address !== undefined) return linkCell(undoubled(address), label, isMedia);
  const image = isMedia ? IMAGE.exec(text)?.[1] : undefined;
  if (image !== undefined && isAddress(image)) return { text: undoubled(image) };
  return { problem: (at) => problem("sheet/formula", formulaMessage(text), at) };
}

/** A spreadsheet shows the label of a link, or its address if it has none. */
function linkCell(address: string, label: string | undefined, isMedia: boolean): FormulaCell {
  if (isMedia || label === undefined) return { text: address };
  const text = undoubled(label);
  return text.includes(address) ? { text } : { text, lostLink: address };
}

function undoubled(text: string): string {
  return text.replaceAll('""', '"');
}

/** The text of a link does not show where it leads: the published text would lead nowhere. */
export function lostLinkProblem(target: string, at: Position): Problem {
  const message = `The cell links to ${clipped(target)}, but plancast publishes only its text. If you want to publish the link, write the address into the text.`;
  return problem("sheet/lost-link", message, at);
}

function formulaMessage(text: string): string {
  return (
    `The cell holds the formula ${clipped(text)} and not its result, because the file was saved with formulas. Save it again with values, or type the value. ` +
    "If this is the text of the post, write an apostrophe before it and before the header, as in `'Caption` and `'=text`."
  );
}

function failedMessage(text: string): string {
  return (
    `The cell shows ${text}, because its formula failed. Fix the formula in the spreadsheet and save the file again, or type the value. ` +
    `If this is the text of the post, write an apostrophe before it and before the header, as in \`'Caption\` and \`'${text}\`.`
  );
}
