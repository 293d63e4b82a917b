import type { ProblemEntry } from "../code-entry.ts";

export const WORKBOOK_CODES = {
  "workbook/kind": {
    severity: "error",
    rule: "A workbook is an .xlsx or .ods file by its content, too.",
    cause: "A file was renamed, or is of an older format, or is a web page with the name of a workbook.",
    fix: "Open it in a spreadsheet program and save it as XLSX or ODS.",
  },
  "workbook/password": {
    severity: "error",
    rule: "A workbook opens without a password.",
    cause: "The workbook is encrypted.",
    fix: "Save it without a password.",
  },
  "workbook/macros": {
    severity: "error",
    rule: "A workbook holds no programs.",
    cause: "The workbook holds macros.",
    fix: "Save it as a workbook without macros (.xlsx).",
  },
  "workbook/damaged": {
    severity: "error",
    rule: "A workbook is whole.",
    cause:
      "A part of the workbook is missing or cut short, often by an upload or a sync that did not finish.",
    fix: "Open it in a spreadsheet program and save it again.",
  },
} as const satisfies Record<string, ProblemEntry>;
