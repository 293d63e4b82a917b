import type { CalendarSettings } from "../calendar/calendar-settings.ts";
import type { RawCalendar } from "../calendar/row.ts";

/** What the project file says of how a table is read. */
export type ReadOptions = Pick<CalendarSettings, "columns" | "header_row">;

/** Reads the text of a calendar; `file` is its name relative to the project root. Pure; never throws. */
export type Read = (file: string, text: string, options: ReadOptions) => RawCalendar;
