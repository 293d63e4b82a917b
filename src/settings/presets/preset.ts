import type { DateOrder } from "../../model/fields.ts";

/** How the files of another scheduler are read: data, and all that is known of them stands in one file each. */
export interface Preset {
  /** Whose files they are, as their users say it. */
  readonly title: string;
  /** The header as the service writes it; for files without one, what stands at each position. */
  readonly header: readonly string[];
  /** What such a file is known by. It is only ever suggested. */
  readonly marks: NameMarks | CellMarks;
  readonly settings: PresetSettings;
  readonly times: PresetTimes;
  /** What a user has to know beside that, for docs/write/presets.md. Sentences. */
  readonly notes: readonly string[];
  /** Where that comes from. */
  readonly sources: readonly string[];
  /** Month of that, as YYYY-MM. */
  readonly checked: string;
}

/** How times are written, as far as a project file has to know. */
interface PresetTimes {
  /** In Markdown. */
  readonly form: string;
  /** Where the zone is said: in the settings of the account, and so in no file; in a column; or in the time itself. */
  readonly zone: "account" | "column" | "date";
  /** Whether a file may have the day first or the month, so that the project has to say which. */
  readonly isOrderOpen?: true;
}

/** Names that are all in the header, and in no other preset's. A `*` stands for anything. */
export interface NameMarks {
  readonly names: readonly string[];
}

/** For files without a header: forms of cells in the first row, by position from 1, and how many cells it may have. */
export interface CellMarks {
  readonly cells: Readonly<Record<number, RegExp>>;
  readonly width: readonly [least: number, most: number];
}

/** What a preset may say of how a file is read, in the words of the project file. */
interface PresetSettings {
  readonly columns: Record<string, string>;
  readonly header_row?: number | [number, number] | "none";
  readonly blank_time?: "refuse" | "draft";
  readonly carousel_rows?: "separate" | "join";
  readonly link_rows?: Record<string, string[]>;
  /** Only where the service fixes it: else the project has to say it. */
  readonly date_order?: DateOrder;
}
