/** Columns of a calendar that plancast does not use. A conversion keeps them where it can, and names the others. */

import { type ColumnMeaning, columnLetters } from "../model/columns.ts";
import { fieldNamed } from "../model/fields.ts";
import { filterColumns } from "../model/row-filter.ts";
import { foldName, formatNumber } from "../model/text.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import { mapColumns } from "./columns/columns.ts";
import { readCalendar } from "./read-calendar.ts";

/** A column without a use, with its filled cells. */
interface UnusedColumn {
  readonly file: string;
  readonly name: string;
  readonly filled: number;
}

/** A calendar whose rows hold the cells of unused columns that can be kept. */
export interface WithUnused {
  readonly calendar: Calendar;
  /** The names of the columns that can be kept, as the header writes them. */
  readonly kept: readonly string[];
  readonly unused: readonly UnusedColumn[];
}

/**
 * Reads a table again, with the cells of its unused columns.
 * @param target the settings for reading the new file, in which a kept column must have no use either
 */
export async function withUnusedColumns(
  root: string,
  calendar: Calendar,
  target: CalendarSettings,
): Promise<WithUnused> {
  const columns = (calendar.table?.columns ?? []).filter(
    ({ meaning, isFilter }) => isUnused(meaning) && !isFilter,
  );
  if (columns.length === 0) return { calendar, kept: [], unused: [] };
  const names = calendar.table?.columns.map(({ name }) => foldName(name)) ?? [];
  const isAlone = (name: string): boolean => names.filter((each) => each === foldName(name)).length === 1;
  const kept = columns
    .map(({ name }) => name.trim())
    .filter((name) => isAlone(name) && staysUnused(name, target));
  const { settings } = calendar;
  const { rows } = await readCalendar(root, calendar.file, {
    ...settings,
    keep: [...filterColumns([settings.only ?? {}]), ...kept.map(foldName)],
  });
  const unused = columns.map(({ name, column }) => {
    const shown = name.trim() === "" ? columnLetters(column) : name.trim();
    const filled = calendar.account?.columns.find((each) => each.column === column)?.filled ?? 0;
    return { file: calendar.file, name: shown, filled };
  });
  // Another reading of a file that somebody changes meanwhile has other rows.
  if (rows.length !== calendar.rows.length) return { calendar, kept: [], unused };
  return { calendar: { ...calendar, rows }, kept, unused };
}

function isUnused({ kind }: ColumnMeaning): boolean {
  return kind !== "used" && kind !== "refuse";
}

/** Whether the column would have no use in the new file, whatever the other columns are. */
function staysUnused(name: string, { columns }: CalendarSettings): boolean {
  if (name === "" || /\s{2}|[\r\n]/.test(name) || fieldNamed(name) !== undefined) return false;
  const meaning = mapColumns([name], columns).meanings[0];
  return meaning?.kind === "unknown" || meaning?.kind === "ignored" || meaning?.kind === "not_carried";
}

/** Columns that a message names. */
const MAX_NAMED = 12;

/** The warning that names the lost columns of one file; none if nothing is lost. */
export function lostColumns(all: readonly WithUnused[], isKept: boolean): Problem[] {
  return all.flatMap(({ calendar: { file }, kept, unused }) => {
    const lost = unused.filter(({ name, filled }) => filled > 0 && !(isKept && kept.includes(name)));
    if (lost.length === 0) return [];
    const list = lost
      .slice(0, MAX_NAMED)
      .map(
        ({ name, filled }) =>
          `\`${name}\` (${filled === 1 ? "1 filled cell" : `${formatNumber(filled)} filled cells`})`,
      );
    const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
    const message =
      `The new file does not contain ${lost.length === 1 ? "this column" : "these columns"} of the old one: ${list.join(", ")}${more}. ` +
      "plancast does not use them, and could not write them without changing what the new file means. Copy what you need.";
    return [problem("write/lost-columns", message, { file })];
  });
}
