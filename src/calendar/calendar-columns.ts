/** What `plancast columns` tells of a calendar: how it is understood before its rows are. */
import type { DateOrder } from "./calendar-settings.ts";
import type { Problem } from "./problem.ts";
import type { Sourced, UnderstoodTable } from "./table-columns.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** What the cells of a column hold. */
export interface ColumnCells {
  /** How many are not blank. */
  readonly filled: number;
  /** The first few that differ, each clipped. */
  readonly samples: readonly string[];
  /** Where dates of numbers show in which order they are written: the first cell of each, by line. */
  readonly orders: readonly {
    readonly order: DateOrder;
    readonly line: number;
    readonly text: string;
  }[];
}

export interface CalendarColumns {
  /** Relative to the project root, with `/`; outside of a project, as it was named. */
  readonly file: string;
  /** Absent where the file is no table, or could not be read as one. */
  readonly table?: UnderstoodTable;
  /** Of each column that has any. */
  readonly cells: ReadonlyMap<number, ColumnCells>;
  /** Of YAML, whose keys are fixed: those that its posts use, with how many do. */
  readonly keys?: readonly { readonly name: string; readonly posts: number }[];
  readonly encoding?: TextEncoding;
  /** What the project says, or else what all dates agree on; absent where nothing tells, or not all agree. */
  readonly dateOrder?: Sourced<DateOrder>;
  /** What is wrong with the file or its header. Rows have problems of their own. */
  readonly problems: readonly Problem[];
  /** One line of the file, to show beside a problem. */
  sourceLine(line: number): string | undefined;
  /** Problems of rows, which `validate` tells. */
  readonly otherProblems: number;
}

/** What plancast has found out of a calendar that the project file could say. */
export interface FoundSettings {
  readonly columns: Readonly<Record<string, string>>;
  readonly header_row?: number | readonly [number, number];
  readonly sheet?: string;
  readonly encoding?: string;
  readonly date_order?: DateOrder;
}

/** What became of the project file. */
export interface ProjectFileEdit {
  /** Its name. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** What was added, by calendar; calendars to which there was nothing to add are not there. */
  readonly added: readonly { readonly file: string; readonly settings: FoundSettings }[];
}
