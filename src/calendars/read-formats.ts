/** Which kinds of calendars can be read, and how. */

import { extname } from "node:path";
import type { Format } from "./read/format.ts";

interface ReadFormat {
  /** Whether its rows are those of a table with columns; else each has keys of its own. */
  readonly isTable: boolean;
  /** Loads the reader, which a project without such calendars does not need. */
  readonly load: () => Promise<Format>;
}

const CSV: ReadFormat = {
  isTable: true,
  load: async () => ({ text: (await import("./read/csv/read-csv.ts")).readCsv }),
};

const TSV: ReadFormat = {
  isTable: true,
  load: async () => ({ text: (await import("./read/csv/read-csv.ts")).readTsv }),
};

const YAML: ReadFormat = {
  isTable: false,
  load: async () => ({ text: (await import("./read/yaml/read-yaml.ts")).readYaml }),
};

const WORKBOOK: ReadFormat = {
  isTable: true,
  load: async () => ({ bytes: (await import("./read/workbook/read-workbook.ts")).readWorkbook }),
};

/** How each kind of calendar is read, by the end of its name. To add one, write its reader and add a line here. */
export const READ_FORMATS = new Map<string, ReadFormat>([
  ["csv", CSV],
  ["tsv", TSV],
  ["yaml", YAML],
  ["yml", YAML],
  ["xlsx", WORKBOOK],
  ["ods", WORKBOOK],
]);

/** The calendars of a project that names none. */
export const CALENDAR_GLOB = `calendars/**/*.{${[...READ_FORMATS.keys()].join(",")}}`;

/** The format of a file by its name; undefined when it is none that plancast reads. */
export function readFormatOf(file: string): ReadFormat | undefined {
  return READ_FORMATS.get(endOf(file));
}

/** `csv` of `plan.CSV`; empty for a name without an end. */
export function endOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}
