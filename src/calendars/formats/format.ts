/**
 * What a format of calendars can do: read, write a new file, edit cells in place. Each folder beside this file holds one
 * format. Its functions load the rest of the folder on demand, because most projects need only one.
 */

import type { RawCalendar } from "../../model/row.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { ReadOptions } from "../read/format.ts";
import type { EditResult, IdentifyPlatform, RowEdit } from "./row-edit.ts";
import type { WriteOptions, WriteOutput, WrittenRow } from "./written-row.ts";

interface FormatOf<Contents> {
  /** Of its files; the first is the default. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether its rows come from a table with columns. Otherwise, each row has keys of its own. */
  readonly isTable: boolean;
  /** Whether a file holds one post, and never more. */
  readonly isOnePost: boolean;
  /** Reads a calendar; `file` is its name relative to the project root. Never throws. */
  readonly read: (file: string, contents: Contents, options: ReadOptions) => Promise<RawCalendar>;
  /** Makes a new file. Equal rows give equal bytes. */
  readonly write?: (rows: readonly WrittenRow[], options: WriteOptions) => Promise<WriteOutput>;
  /**
   * Writes new cells into the contents of a calendar that was read without errors, except in rows that were left out.
   * Everything else stays.
   */
  readonly edit?: (
    contents: Contents,
    calendar: Calendar,
    edits: readonly RowEdit[],
    identify: IdentifyPlatform,
  ) => Promise<EditResult<Contents>>;
}

/** A format of text, which gets no byte order mark, or of bytes. */
export type Format =
  ({ readonly holds: "text" } & FormatOf<string>) | ({ readonly holds: "bytes" } & FormatOf<Uint8Array>);
