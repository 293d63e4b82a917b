/** Reads `pool` and `spacing` of a row that repeats. Pure. */

import { hash } from "node:crypto";
import { canonicalContent } from "../model/canonical.ts";
import { type Problem, problem } from "../model/problem.ts";
import { formatNumber } from "../model/text.ts";
import { textItems } from "./row-texts.ts";
import type { RowView } from "./row-view.ts";
import { type Pool, type PoolText, MAX_SPACING_DAYS } from "./series/pool.ts";

/** More are a mistake. */
const MAX_TEXTS = 200;

/** `30d`, `30 days`, `4 weeks`, or the number of days. */
const SPACING = /^(\d{1,3})\s?(d|days?|w|weeks?|)$/i;

/**
 * The row's pool. Undefined if the row has no pool. Also undefined if the pool has problems, which go to `problems`.
 */
export function readPool(row: RowView, problems: Problem[]): Pool | undefined {
  const before = problems.length;
  const [cell, spaced] = [row.own.pool, row.own.spacing];
  const add = (message: string, at = cell?.at()): void => {
    problems.push(problem("row/pool", message, at));
  };
  const days = spaced === undefined ? 0 : spacingDays(spaced.text);
  if (days === undefined) add(SPACING_FORM, spaced?.at());
  if (cell === undefined) {
    if (spaced !== undefined) add(NO_POOL, spaced.at());
    return undefined;
  }
  const texts = textItems(cell).flatMap((text, item): PoolText[] => {
    const said = canonicalContent(text);
    return said.trim() === ""
      ? []
      : [{ text, mark: hash("sha256", said).slice(0, 16), item: cell.isList ? item : undefined }];
  });
  if (texts.length === 0) add(EMPTY);
  if (texts.length > MAX_TEXTS)
    add(`The pool has ${formatNumber(texts.length)} texts, but at most ${MAX_TEXTS} are allowed.`);
  const seen = new Map<string, number>();
  for (const [index, { mark, item }] of texts.entries()) {
    const first = seen.get(mark);
    if (first === undefined) seen.set(mark, index);
    else
      add(`Texts ${first + 1} and ${index + 1} of the pool are the same. Remove one of them.`, cell.at(item));
  }
  if (row.own.content !== undefined) add(TWO_TEXTS, row.at("content"));
  for (const variant of row.row.variants)
    if (variant.cells.content !== undefined) add(OWN_TEXT, variant.at("content"));
  return problems.length > before || days === undefined ? undefined : { texts, spacing: days };
}

const SPACING_FORM = `The spacing must be a number of days from 1 to ${MAX_SPACING_DAYS}, such as 30d or 4 weeks. Correct it.`;
const NO_POOL = "The row has a spacing but no pool of texts. Write the texts into `pool`, or clear the cell.";
const EMPTY = "The pool has no text. Write its texts with a line --- between them, or clear the cell.";
const TWO_TEXTS = "The row has a text and a pool. Move the text into the pool, or clear one of the two.";
const OWN_TEXT =
  "A row with a pool has the same texts for all its networks. Clear this cell, or write a second row with its own pool.";

const NO_PROBLEMS: readonly Problem[] = [];

/** Problems of a row that has a pool, but does not repeat. */
export function poolWithoutRepeat(row: RowView): readonly Problem[] {
  const { pool, spacing } = row.row.cells;
  const field = pool !== undefined ? "pool" : spacing !== undefined ? "spacing" : undefined;
  return field === undefined ? NO_PROBLEMS : [problem("row/pool", NO_REPEAT, row.at(field))];
}

const NO_REPEAT =
  "Only a row that repeats takes its texts from a pool. Write a rule into `repeat`, such as weekly, or clear the cell.";

export function spacingDays(text: string): number | undefined {
  const [, digits, unit = ""] = SPACING.exec(text) ?? [];
  const days = Number(digits ?? 0) * (unit.toLowerCase().startsWith("w") ? 7 : 1);
  return days >= 1 && days <= MAX_SPACING_DAYS ? days : undefined;
}
