import type { CodeEntry } from "../code-entry.ts";

export const SHEET_CODES = {
  "sheet/not-found": {
    severity: "error",
    rule: "The sheet that the project names is in the workbook.",
  },
  "sheet/unclear": {
    severity: "error",
    rule: "It is clear which sheet of a workbook is the calendar.",
  },
  "sheet/error-value": {
    severity: "error",
    rule: "A cell holds no error such as #REF!.",
  },
  "sheet/no-result": {
    severity: "error",
    rule: "A formula's result is in the workbook.",
  },
  "sheet/merged-cells": {
    severity: "error",
    rule: "The project says what merged cells mean.",
  },
  "sheet/hidden-rows": {
    severity: "warning",
    rule: "The project says what is done with hidden rows.",
  },
  "sheet/lost-link": {
    severity: "warning",
    rule: "Where a link leads is part of the text.",
  },
} as const satisfies Record<string, CodeEntry>;
