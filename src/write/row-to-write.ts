/**
 * A row as read becomes a row that says all it means by itself: what the file around it said (its zone, its defaults,
 * the order of its dates) goes into the cells. A cell that cannot be understood stays as it is.
 */
import { isoInstant } from "../calendar/canonical.ts";
import { STATUSES, type CalendarSettings, type Status } from "../calendar/calendar-settings.ts";
import type { Config } from "../calendar/config.ts";
import { MEDIA_SEPARATOR, type Calendar, type Cell, type Field, type RawRow } from "../calendar/row.ts";
import { findZone } from "../calendar/zone.ts";
import { localText } from "../validate/local-time.ts";
import { PLATFORM_SEPARATOR } from "../validate/platforms.ts";
import { RowView } from "../validate/row-view.ts";
import { dueTime } from "../validate/schedule.ts";
import { statusOf } from "../validate/status.ts";
import type { WrittenRow } from "./format.ts";

export interface Rewriting {
  readonly calendar: Calendar;
  readonly config: Config;
  /** How the file that is written will be read. */
  readonly target: CalendarSettings;
  /** The name of a file of media, seen from the folder of the file that is written. */
  readonly mediaName: (path: string) => string;
}

export function rowToWrite(row: RawRow, rewriting: Rewriting): WrittenRow {
  const view = new RowView(row, rewriting.calendar, rewriting.config);
  const media = listOf(given(row, rewriting.calendar, "media"), MEDIA_SEPARATOR);
  return withoutBlanks({
    id: view.own("id")?.text,
    ...timeCells(view, rewriting),
    platforms: listOf(given(row, rewriting.calendar, "platforms"), PLATFORM_SEPARATOR),
    content: textOf(given(row, rewriting.calendar, "content")),
    media: typeof media === "object" ? media.map(rewriting.mediaName) : media,
    status: statusCell(view, rewriting),
  });
}

/** The row's cell, else the file's default. The project's own defaults hold for every file, and stay where they are. */
function given(row: RawRow, { defaults }: Calendar, field: Field): Cell | undefined {
  return row.cells[field] ?? defaults?.cells[field];
}

function withoutBlanks(cells: Readonly<Partial<Record<Field, Cell | undefined>>>): WrittenRow {
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== undefined));
}

/** The parts of a cell. One that has none, although it is there, is left for whoever checks it. */
function listOf(cell: Cell | undefined, separator: RegExp): Cell | undefined {
  if (cell === undefined) return undefined;
  const parts = typeof cell === "string" ? cell.split(separator) : cell;
  const filled = parts.map((part) => part.trim()).filter((part) => part !== "");
  return filled.length === 0 ? cell : filled;
}

/** Line ends as they are sent. */
function textOf(cell: Cell | undefined): Cell | undefined {
  return typeof cell === "string" ? cell.replace(/\r\n?/g, "\n") : cell;
}

type TimeCells = Partial<Record<"scheduled_at" | "date" | "time" | "timezone", string | undefined>>;

/** The time in ISO form where it is understood. An exact one is kept as it is: it means the same everywhere. */
function timeCells(view: RowView, { calendar, target }: Rewriting): TimeCells {
  const [whole, date] = [view.own("scheduled_at")?.text, view.own("date")?.text];
  const ownZone = view.own("timezone")?.text;
  if (whole !== undefined && isoInstant(whole, undefined) !== undefined && date === undefined)
    return { scheduled_at: whole, time: view.own("time")?.text, timezone: ownZone };
  const zone = view.value("timezone")?.text;
  const timezone = ownZone ?? (zone === target.timezone ? undefined : zone);
  const time = view.own("time")?.text ?? (date === undefined ? undefined : defaultTime(calendar));
  const due = dueTime(view);
  const known = findZone(zone ?? "");
  if ("problem" in due || known === undefined) return { scheduled_at: whole, date, time, timezone };
  const local = localText(known, due.ms);
  const [day, hours] = local.split(" ");
  if (date === undefined || hours === undefined) return { scheduled_at: local, timezone };
  return { date: day, time: time === undefined ? undefined : hours, timezone };
}

/** The file's default time; the project's stays where it is. */
function defaultTime({ defaults }: Calendar): string | undefined {
  const cell = defaults?.cells.time;
  return typeof cell === "string" ? cell.trim() : undefined;
}

/** The status in plancast's words; blank where it is not said and means the same in the file that is written. */
function statusCell(view: RowView, { calendar, target }: Rewriting): string | undefined {
  const value = view.value("status");
  const status = statusOf(value, calendar.settings.status_values);
  if (typeof status === "object") return value?.text;
  const says = (word: string): Status | undefined => {
    const read = statusOf(
      word === "" ? undefined : { text: word, at: () => view.at() },
      target.status_values,
    );
    return typeof read === "object" ? undefined : read;
  };
  if (value === undefined && says("") === status) return undefined;
  return [status, ...Object.keys(target.status_values), ...STATUSES].find((word) => says(word) === status);
}
