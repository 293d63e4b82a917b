/** Suggests the order of a column's dates from its other cells. plancast only shows the suggestion. */

import { linePlace } from "../../model/problem.ts";
import type { RawRow } from "../../model/row.ts";
import type { DateOrder } from "../../model/fields.ts";
import { tidyName } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { dayReadings, isExistingDay } from "./day-forms.ts";

/** For each order, the first cell that can be read only in that order. */
export type DateOrderExamples = Map<DateOrder, { readonly line: number; readonly text: string }>;

/** Looks at one more cell. */
export function noteDateOrder(found: DateOrderExamples, cell: string, line: number): void {
  const order = onlyDateOrder(cell);
  if (order !== undefined && !found.has(order)) found.set(order, { line, text: cell.trim() });
}

export class DateOrderHint {
  readonly #calendar: Calendar;
  #hint: string | undefined;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** A sentence to add to a message, with a blank in front; empty if nothing is known. */
  text(): string {
    const { rows } = this.#calendar;
    this.#hint ??= hintOf(examplesIn(rows), linePlace(rows[0]?.at() ?? {}));
    return this.#hint;
  }
}

function examplesIn(rows: readonly RawRow[]): DateOrderExamples {
  const found: DateOrderExamples = new Map();
  for (const row of rows) {
    for (const cell of [row.cells.scheduled_at, row.cells.date]) {
      if (typeof cell === "string") noteDateOrder(found, cell, row.line);
    }
  }
  return found;
}

function hintOf(found: DateOrderExamples, place: string): string {
  const examples = [...found].map(
    ([order, { line, text }]) => `"${text}" ${place} ${line} can only be ${order}`,
  );
  if (examples.length === 0) return "";
  const so = examples.length === 1 ? "" : ", so the dates in this file do not all have the same order";
  return ` ${examples.join(", ")}${so}.`;
}

/** A numeric date at the start of a cell. */
const NUMBERS = /^\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2,4}(?!\d)/;

/** The only possible order of a cell; undefined if several or none are possible. */
function onlyDateOrder(cell: string): DateOrder | undefined {
  const [date] = NUMBERS.exec(tidyName(cell)) ?? [];
  if (date === undefined) return undefined;
  const possible = (dayReadings(date) ?? []).filter(isExistingDay);
  return possible.length === 1 ? possible[0]?.orders?.[0] : undefined;
}
