/** Cells of yes-or-no columns: whether they say yes, and the status that they give their row. */

import { statusWord } from "../../settings/languages/languages.ts";
import { answerColumn } from "../columns/column-values.ts";

/**
 * The status that a yes-or-no cell gives its row; undefined if it says nothing against the row's own.
 * @param value what a yes means
 */
export function statusSaid(value: string, isYes: boolean, text: string): string | undefined {
  if (value !== "ready") return isYes ? value : undefined;
  if (isYes) return undefined;
  const word = statusWord(text);
  return word === "skip" ? "skip" : "draft";
}

/** Like `statusSaid`, for a column that `columns:` names. */
export function statusInSwitch(value: string, text: string): string | undefined {
  return statusSaid(value, answerColumn(value).read(text).meaning === "yes", text);
}

/** The status that wins if several columns give one. */
export function strongest<Said extends { readonly text: string }>(all: readonly Said[]): Said | undefined {
  const first = (status: string): Said | undefined => all.find(({ text }) => text === status);
  return first("skip") ?? first("draft") ?? all[0];
}
