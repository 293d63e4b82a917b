import type { DateOrder } from "../../calendar/calendar-settings.ts";
import { tidyName } from "../../calendar/tidy-text.ts";
import { dayReadings, isExistingDay } from "./day-forms.ts";

/** A date of numbers alone at the start of a cell. */
const NUMBERS = /^\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2,4}(?!\d)/;

/** The order in which alone a cell can be read; undefined where there are several, or none. */
export function onlyDateOrder(cell: string): DateOrder | undefined {
  const [date] = NUMBERS.exec(tidyName(cell)) ?? [];
  if (date === undefined) return undefined;
  const possible = (dayReadings(date) ?? []).filter(isExistingDay);
  return possible.length === 1 ? possible[0]?.orders?.[0] : undefined;
}
