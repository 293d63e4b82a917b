/** Workbooks as formats of calendars. */

import type { Format } from "../format.ts";

export const XLSX = {
  holds: "bytes",
  extensions: ["xlsx"],
  isTable: true,
  isOnePost: false,
  read: async (...args) => (await import("./read-workbook.ts")).readWorkbook(...args),
  write: async (...args) => (await import("./write-xlsx.ts")).writeXlsx(...args),
  edit: async (...args) => (await import("./edit-xlsx.ts")).editXlsx(...args),
} as const satisfies Format;

/** The reader looks at the contents, not at the name. */
export const ODS = {
  holds: "bytes",
  extensions: ["ods"],
  isTable: true,
  isOnePost: false,
  read: XLSX.read,
} as const satisfies Format;
