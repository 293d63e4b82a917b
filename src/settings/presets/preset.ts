/** The form of a preset: everything that plancast knows about the files of one other scheduler, as data. */

import type { DateOrder } from "../../model/fields.ts";

/** How plancast reads the files of one scheduler. Each has a file of its own in this folder. */
export interface Preset {
  /** The name of the scheduler, as its users know it. */
  readonly title: string;
  /** The header as the service writes it. For files without a header, the meaning of each position. */
  readonly header: readonly string[];
  /** How to recognise files of this scheduler. plancast only suggests the preset. */
  readonly marks: NameMarks | CellMarks;
  readonly settings: PresetSettings;
  readonly times: PresetTimes;
  /** What else a user has to know, for docs/write/presets.md. Sentences. */
  readonly notes: readonly string[];
  /** The source. */
  readonly sources: readonly string[];
  /** Month of the source, as YYYY-MM. */
  readonly checked: string;
}

/** How times are written, as far as plancast.yaml needs to know. */
interface PresetTimes {
  /** In Markdown. */
  readonly form: string;
  /**
   * Where the zone is set: in the settings of the account, so that no file contains it; in a column; or in the time
   * itself.
   */
  readonly zone: "account" | "column" | "date";
  /** Whether files may have the day or the month first, so that the project must say which. */
  readonly isOrderOpen?: true;
}

/** Names that are all in the header, and in no other preset's. `*` matches anything. */
export interface NameMarks {
  readonly names: readonly string[];
}

/**
 * For files without a header: patterns of cells in the first row, by position from 1, and how many cells it may have.
 */
export interface CellMarks {
  readonly cells: Readonly<Record<number, RegExp>>;
  readonly width: readonly [least: number, most: number];
}

/** Settings that a preset may make for reading a file, named as in plancast.yaml. */
interface PresetSettings {
  readonly columns: Record<string, string>;
  readonly header_row?: number | [number, number] | "none";
  readonly blank_time?: "refuse" | "draft";
  readonly carousel_rows?: "separate" | "join";
  readonly values?: Record<string, Record<string, "text">>;
  /** Only if the service fixes it. Otherwise the project must say it. */
  readonly date_order?: DateOrder;
}
