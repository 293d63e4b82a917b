/** Cells of yes-or-no columns: whether they say yes, and the status that they give their row. */

import { type Position, type Problem, problem } from "../../model/problem.ts";
import { isBlank } from "../../model/text.ts";
import { statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import { namesDay } from "../columns/cell-kinds.ts";

/**
 * The status that a yes-or-no cell gives its row; undefined if it says nothing against the row's own.
 * @param value what a yes means
 */
export function statusSaid(value: string, isYes: boolean, text: string): string | undefined {
  if (value !== "ready") return isYes ? value : undefined;
  if (isYes) return undefined;
  const word = statusWord(text);
  return word === "skip" ? "skip" : word === "scheduled" ? text : "draft";
}

/** Like `statusSaid`, for a column that `columns:` names. */
export function statusInSwitch(value: string, text: string): string | undefined {
  return statusSaid(value, saysYes(text, { field: "status", value }, false) === true, text);
}

/** The status that wins if several columns give one. */
export function strongest<Said extends { readonly text: string }>(all: readonly Said[]): Said | undefined {
  const first = (status: string): Said | undefined => all.find(({ text }) => text === status);
  return first("skip") ?? first("draft") ?? all[0];
}

/** Whether a cell of a yes-or-no column says yes; undefined if it says neither. @param isGuess as for `undecidedCell` */
export function saysYes(
  text: string,
  { field, value }: { readonly field: string; readonly value: string },
  isGuess: boolean,
): boolean | undefined {
  if (isBlank(text)) return false;
  const said = yesOrNo(text);
  return said !== undefined || field !== "status"
    ? said
    : (saysStatus(text, value) ?? saysWhen(text, isGuess));
}

/** Whether a cell of a yes-or-no column for a status says yes, in the words of a status: `Approved` in `Approval`. */
function saysStatus(text: string, value: string): boolean | undefined {
  const word = statusWord(text);
  if (word === value) return true;
  return value === "ready" && word !== undefined ? false : undefined;
}

/**
 * In a column that `columns:` names, a date means yes: the post went out then, or was approved. So does the address of
 * a published post.
 */
function saysWhen(text: string, isGuess: boolean): boolean | undefined {
  return !isGuess && (namesDay(text) || /^\s*https?:\/\/\S+\s*$/i.test(text)) ? true : undefined;
}

/**
 * @param value what the cell should say yes or no to
 * @param isGuess whether only the column's name says that it is a yes-or-no column
 */
export function undecidedCell(text: string, value: string, at: Position, isGuess = false): Problem {
  const way = isGuess
    ? " If this column does not say which posts are ready, set it to `ignore` under `columns:` in plancast.yaml."
    : "";
  const message = `"${text.trim()}" is neither yes nor no for ${value}. Write yes or no, or TRUE or FALSE.${way}`;
  return problem("row/yes-or-no", message, at);
}
