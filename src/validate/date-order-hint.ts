/** What the other cells of a column tell about the order of its dates. It is only said, never acted upon. */
import type { DateOrder } from "../calendar/calendar-settings.ts";
import type { Calendar, RawRow } from "../calendar/row.ts";
import { orderOf } from "./when/order-of.ts";

/** The first cell that can be read in one order alone, for each order. */
export type OrderWitnesses = Map<DateOrder, { readonly line: number; readonly text: string }>;

/** Looks at one more cell. */
export function noteOrder(found: OrderWitnesses, cell: string, line: number): void {
  const order = orderOf(cell);
  if (order !== undefined && !found.has(order)) found.set(order, { line, text: cell.trim() });
}

export class DateOrderHint {
  readonly #calendar: Calendar;
  #hint: string | undefined;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** A sentence to put behind a message, with a blank in front; empty where nothing can be told. */
  text(): string {
    this.#hint ??= hintOf(witnesses(this.#calendar.rows));
    return this.#hint;
  }
}

function witnesses(rows: readonly RawRow[]): OrderWitnesses {
  const found: OrderWitnesses = new Map();
  for (const row of rows) {
    for (const cell of [row.cells.scheduled_at, row.cells.date]) {
      if (typeof cell === "string") noteOrder(found, cell, row.line);
    }
  }
  return found;
}

function hintOf(found: OrderWitnesses): string {
  const told = [...found].map(([order, { line, text }]) => `"${text}" on line ${line} can only be ${order}`);
  if (told.length === 0) return "";
  const so = told.length === 1 ? "" : ", so the dates of this file do not have one order";
  return ` ${told.join(", ")}${so}.`;
}
