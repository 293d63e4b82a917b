import { STATUSES, type CalendarSettings, type Status } from "../calendar/calendar-settings.ts";
import type { RowView } from "../validate/row-view.ts";
import { readStatus } from "../validate/status.ts";

/**
 * A row's status in plancast's words; blank where it is not said and means the same in the file that is written. One
 * that is not understood stays as it is.
 * @param source how the row is read
 * @param target how the file that is written will be read
 */
export function statusCell(
  view: RowView,
  source: CalendarSettings,
  target: CalendarSettings,
): string | undefined {
  const value = view.value("status");
  const status = readStatus(value, source.status_values);
  if (typeof status === "object") return value?.text;
  const says = (word: string): Status | undefined => {
    const said = { text: word, at: () => view.at() };
    const read = readStatus(word === "" ? undefined : said, target.status_values);
    return typeof read === "object" ? undefined : read;
  };
  if (value === undefined && says("") === status) return undefined;
  return [status, ...Object.keys(target.status_values), ...STATUSES].find((word) => says(word) === status);
}
