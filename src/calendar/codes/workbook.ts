import type { CodeEntry } from "../code-entry.ts";

export const WORKBOOK_CODES = {
  "workbook/kind": {
    severity: "error",
    rule: "A workbook is an .xlsx or .ods file by its content, too.",
  },
  "workbook/password": {
    severity: "error",
    rule: "A workbook opens without a password.",
  },
  "workbook/macros": {
    severity: "error",
    rule: "A workbook holds no programs.",
  },
  "workbook/damaged": {
    severity: "error",
    rule: "A workbook is whole.",
  },
} as const satisfies Record<string, CodeEntry>;
