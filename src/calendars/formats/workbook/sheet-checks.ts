/**
 * Checks for faults that only spreadsheets have: errors, formulas without a result, merged cells, links, hidden rows.
 */

import { linkedMedium } from "../../../model/address.ts";
import { type Position, type Problem, type Question, problem } from "../../../model/problem.ts";
import type { RawRow } from "../../../model/row.ts";
import { type Field, FIELDS } from "../../../model/fields.ts";
import { clipped } from "../../../model/text.ts";
import { holdsBack } from "../../../settings/languages/languages.ts";
import { lostLinkProblem } from "../../read/formula-cells.ts";
import { heldBack } from "../../read/read-row.ts";
import { type CellMark, type DoubtfulCell, type SheetRow, cellName } from "./workbook.ts";

interface CellRules {
  readonly mergedCells: "refuse" | "carry";
  /** Fields whose blank cells have the value of the row above, merged or not. */
  readonly carried: ReadonlySet<Field | undefined>;
  readonly links: ReadonlyMap<string, string>;
}

/** Checks the cells of a row that are read. A row with an error is not processed further. */
export function checkCells(row: RawRow, sheetRow: SheetRow, rules: CellRules): Problem[] {
  if (rules.links.size === 0 && !sheetRow.cells.some((cell) => typeof cell === "object")) return [];
  return placesOf(row).flatMap(({ field, at }) => {
    const cell = sheetRow.cells[(at.column ?? 0) - 1];
    if (typeof cell === "object") {
      return cell.kind === "merged" && rules.carried.has(field) ? [] : doubtfulCellProblems(at, cell, rules);
    }
    if (field !== "content" && field !== "media") return [];
    const target = rules.links.get(cellName(at.line ?? 0, (at.column ?? 0) - 1));
    const isUsed = field === "media" && linkedMedium(cell ?? "", target) !== undefined;
    return isUsed ? [] : lostLinkProblems(at, cell, target);
  });
}

/** Each cell that the row was read from, once. Media may be in several cells, and several may be in one. */
function placesOf(row: RawRow): { readonly field: Field; readonly at: Position }[] {
  return FIELDS.flatMap((field) => {
    const value = row.cells[field];
    if (value === undefined) return [];
    const count = typeof value === "string" ? 1 : value.length;
    const all = Array.from({ length: count }, (_none, item) => ({ field, at: row.at(field, item) }));
    return all.filter(({ at }, item) => at.column !== all[item - 1]?.at.column);
  });
}

function doubtfulCellProblems(at: Position, { kind, text }: DoubtfulCell, rules: CellRules): Problem[] {
  switch (kind) {
    case "error": {
      const message = `The cell shows ${text}, because its formula failed. Fix the formula, or type the value.`;
      return [problem("sheet/formula", message, at)];
    }
    case "no-result": {
      const message =
        "The cell has a formula, but the file does not contain its result. Open the workbook in a spreadsheet program and save it, or type the value.";
      return [problem("sheet/formula", message, at)];
    }
    case "merged": {
      if (rules.mergedCells === "carry") return [];
      const message = `The cell is merged with the one above, which contains "${clipped(text)}". If this row has the same value, set \`merged_cells: carry\` in plancast.yaml. If not, unmerge the cells and fill in each one.`;
      return [{ ...problem("sheet/merged-cells", message, at), questions: [{ topic: "merged-cells" }] }];
    }
  }
}

/** A link with an address that the text does not show: the published text would lead nowhere. */
function lostLinkProblems(at: Position, text: string | undefined, target: string | undefined): Problem[] {
  if (target === undefined || text === undefined || text.includes(withoutScheme(target))) return [];
  return [lostLinkProblem(target, at)];
}

function withoutScheme(target: string): string {
  return target.replace(/^(?:https?:\/\/|mailto:)/i, "").replace(/\/$/, "");
}

/**
 * What people see in a cell besides its text: a comment that keeps the row back, and a line through the text.
 * @param isRead whether the post gets something from the cell, and the line does not go through the whole row
 */
export function markProblems(mark: CellMark | undefined, isRead: boolean, at: Position): Problem[] {
  if (mark === undefined) return [];
  const { note = "", struck } = mark;
  const said = note.split("\n").find(holdsBack);
  if (said !== undefined)
    return [heldBack(`The comment on the cell says "${clipped(said.trim())}"`, "delete the comment", at)];
  if (struck === undefined || !isRead) return [];
  return [
    struck === "all"
      ? heldBack("The text of the cell is struck through", "remove the line through it", at)
      : heldBack("Some words of the cell are struck through", "delete these words", at),
  ];
}

/** Reports which rows are hidden, because people forget what they do not see. */
export function hiddenRowProblems(
  rows: readonly RawRow[],
  byNumber: ReadonlyMap<number, SheetRow>,
): Problem[] {
  const hidden = rows.filter(({ line }) => byNumber.get(line)?.isHidden === true);
  const [first] = hidden;
  if (first === undefined) return [];
  const lines = hidden.slice(0, 5).map(({ line }) => line);
  const more = hidden.length > lines.length ? ` and ${hidden.length - lines.length} more` : "";
  const what =
    hidden.length === 1
      ? `Row ${first.line} is hidden.`
      : `${hidden.length} rows are hidden (${lines.join(", ")}${more}).`;
  const message = `${what} plancast reads hidden rows like the others, also those that a filter hides: set \`hidden_rows: skip\` in plancast.yaml to leave them out, or \`hidden_rows: read\` to stop this warning.`;
  const questions: Question[] = [{ topic: "hidden-rows", rows: hidden.length }];
  return [{ ...problem("sheet/hidden-rows", message, first.at()), questions }];
}
