import type { RawCalendar } from "../calendar/row.ts";

export interface ReadOptions {
  /** Spreadsheet headers, each with the field that it stands for: `columns` of the project file. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Reads the text of a calendar; `file` is its name relative to the project root. Pure; never throws. */
export type Read = (file: string, text: string, options: ReadOptions) => RawCalendar;
