/**
 * Rows that somebody stopped in a sheet: their status is a word such as `Stop` there, and their copy still has them ready.
 * A stop can only withhold, so it needs no review.
 */

import { readStatus } from "../checks/statuses.ts";
import { isSameJson } from "../model/data.ts";
import type { Only } from "../model/row-filter.ts";
import { type RawRow, cellText } from "../model/row.ts";
import { foldName } from "../model/text.ts";
import type { CalendarSettings } from "../settings/calendar-settings.ts";
import { isStopWord } from "../settings/languages/languages.ts";

export interface StoppedRow {
  /** The row of the copy. */
  readonly row: RawRow;
  /** The conditions that fit it. */
  readonly only: Only;
}

/**
 * @param copy the rows of the copy, which is on the main branch
 * @param sheet the rows of the sheet as it is now
 */
export function stoppedRows(
  copy: readonly RawRow[],
  sheet: readonly RawRow[],
  settings: Pick<CalendarSettings, "status_values">,
): readonly StoppedRow[] {
  const stopped = sheet.filter(({ cells }) => isStop(cellText(cells.status), settings));
  const ids = new Set(stopped.map(idOf).filter((id) => id !== ""));
  const withoutId = stopped.filter((row) => idOf(row) === "").map(withoutStatus);
  return copy.flatMap((row) => {
    const { cells } = row;
    if (isStop(cellText(cells.status), settings)) return [];
    const id = idOf(row);
    const isStopped =
      id === "" ? withoutId.some((each) => isSameJson(each, withoutStatus(row))) : ids.has(id);
    if (!isStopped) return [];
    const only: Only = id === "" ? { content: [cellText(cells.content)] } : { id: [id] };
    return [{ row, only }];
  });
}

/** The team's own words have priority. */
function isStop(text: string, { status_values: words }: Pick<CalendarSettings, "status_values">): boolean {
  if (!isStopWord(text)) return false;
  const isOwn = Object.keys(words).some((word) => foldName(word) === foldName(text));
  return !isOwn || readStatus({ text }, words) === "skip";
}

function idOf({ cells }: RawRow): string {
  return cellText(cells.id).trim();
}

function withoutStatus({ cells: { status: _status, ...others } }: RawRow): object {
  return others;
}
