import type { ProblemEntry } from "../code-entry.ts";

export const SHEET_CODES = {
  "sheet/not-found": {
    severity: "error",
    rule: "The sheet that the project names is in the workbook.",
    cause: "The sheet was renamed.",
    fix: "Name it as it is called now, with `sheet:`.",
  },
  "sheet/unclear": {
    severity: "error",
    rule: "It is clear which sheet of a workbook is the calendar.",
    cause: "Several sheets look like calendars.",
    fix: "Say which with `sheet:`, or save each as a workbook of its own.",
  },
  "sheet/error-value": {
    severity: "error",
    rule: "A cell holds no error such as #REF!.",
    cause: "A formula of the sheet failed.",
    fix: "Mend the formula, or type the value.",
  },
  "sheet/no-result": {
    severity: "error",
    rule: "A formula's result is in the workbook.",
    cause: "The workbook was written by a program that stores formulas without results.",
    fix: "Open it in a spreadsheet program and save it, or type the value.",
  },
  "sheet/merged-cells": {
    severity: "error",
    rule: "The project says what merged cells mean.",
    cause: "A blank cell is merged with one above, and may or may not be meant to have its value.",
    fix: "Say `merged_cells: carry`, or unmerge the cells and fill each in.",
  },
  "sheet/hidden-rows": {
    severity: "warning",
    rule: "The project says what is done with hidden rows.",
    cause: "Rows are hidden, by hand or by a filter that was left on.",
    fix: "Say `hidden_rows: skip` or `hidden_rows: read`, or show the rows.",
  },
  "sheet/lost-link": {
    severity: "warning",
    rule: "Where a link leads is part of the text.",
    cause: "A cell shows words and links to an address, and only the words are text.",
    fix: "Write the address into the text.",
  },
} as const satisfies Record<string, ProblemEntry>;
