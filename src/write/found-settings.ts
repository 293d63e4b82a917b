import type { CalendarColumns, FoundSettings } from "../calendar/calendar-columns.ts";
import { targetText } from "../calendar/column-target.ts";
import { foldName } from "../calendar/fold-name.ts";

/**
 * What was found out of a calendar, as the project file would say it: headers that are no names of fields, and what
 * another reading could find otherwise. What is not understood is left out: to ignore it is for people to decide.
 */
export function foundSettings({ table, encoding, dateOrder }: CalendarColumns): FoundSettings {
  const { headerRow, isHeaderFirst = true, sheet, columns = [] } = table ?? {};
  return {
    columns: columnsFound(columns),
    ...(headerRow === undefined || headerRow.isExplicit || isHeaderFirst || headerRow.value === "none"
      ? {}
      : { header_row: headerRow.value }),
    ...(sheet === undefined || sheet.isExplicit || sheet.isOnly ? {} : { sheet: sheet.value }),
    ...(encoding?.by === "guess" ? { encoding: encoding.name } : {}),
    ...(dateOrder === undefined || dateOrder.isExplicit ? {} : { date_order: dateOrder.value }),
  };
}

export function isEmptySettings({ columns, ...others }: FoundSettings): boolean {
  return Object.keys(columns).length + Object.keys(others).length === 0;
}

/** Columns of one name are one entry: they are compared without case, and blanks, `-` and `_` are the same. */
function columnsFound(columns: NonNullable<CalendarColumns["table"]>["columns"]): Record<string, string> {
  const found = new Map<string, [name: string, target: string]>();
  for (const { key, meaning } of columns) {
    if (key === undefined || meaning.kind !== "used" || meaning.evidence.by !== "synonym") continue;
    if (!found.has(foldName(key))) found.set(foldName(key), [key, targetText(meaning.as)]);
  }
  return Object.fromEntries(found.values());
}
