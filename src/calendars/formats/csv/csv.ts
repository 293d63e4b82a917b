/** Delimited text as a format of calendars. */

import type { Format } from "../format.ts";

export const CSV = {
  holds: "text",
  extensions: ["csv"],
  isTable: true,
  isOnePost: false,
  read: async (...args) => (await import("./read-csv.ts")).readCsv(...args),
  write: async (rows) => (await import("./write-csv.ts")).writeCsv(rows),
  edit: async (...args) => (await import("./edit-csv.ts")).editCsv(...args),
} as const satisfies Format;

export const TSV = {
  holds: "text",
  extensions: ["tsv"],
  isTable: true,
  isOnePost: false,
  read: async (...args) => (await import("./read-csv.ts")).readTsv(...args),
  edit: CSV.edit,
} as const satisfies Format;
