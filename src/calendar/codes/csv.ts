import type { ProblemEntry } from "../code-entry.ts";

export const CSV_CODES = {
  "csv/no-header": {
    severity: "error",
    rule: "The first row names the columns; where the project says that none does, it is a post.",
    cause:
      "No row names a column that plancast knows; the table may have no header, or one in your own words.",
    fix: "Say what the columns are with `columns:`, or `header_row: none` and positions. `plancast columns FILE` shows what was understood.",
  },
  "csv/duplicate-header": {
    severity: "error",
    rule: "No two columns stand for one field.",
    cause: "Two columns mean the same field, such as Text and Caption.",
    fix: "Name one of them `ignore` under `columns:`, or rename it.",
  },
  "csv/missing-header": {
    severity: "error",
    rule: "The columns that every post needs are there.",
    cause:
      "There is no column for the text, the time or the platforms, or it has a name that plancast does not know.",
    fix: "Map your own header: `columns: { Slogan: content }`; or set `defaults:` for what no row says.",
  },
  "csv/row-above-header": {
    severity: "error",
    rule: "No posts stand above the header.",
    cause: "A row that looks like a post stands above the one that was taken for the header.",
    fix: "Say `header_row:` with the number of the header's row.",
  },
  "csv/unknown-column": {
    severity: "warning",
    rule: "Every column stands for a field.",
    cause: "The table has columns of your own, for notes or approval.",
    fix: "Nothing, if they are yours alone. Else map them with `columns:`; `ignore` ends the warning.",
  },
  "csv/not-carried": {
    severity: "warning",
    rule: "The service has a place for what a column holds.",
    cause: "The column holds what the service's interface has no field for, such as a first comment.",
    fix: "Put into the text what is to be published.",
  },
  "csv/ragged-row": {
    severity: "error",
    rule: "A row has no more cells than the header has columns.",
    cause: "A text that holds a comma is not quoted, so it became two cells.",
    fix: "Put quotes around the text, or edit the file in a spreadsheet program, which does it by itself.",
  },
  "csv/bare-quote": {
    severity: "error",
    rule: "A quote within a cell is doubled, and the cell is quoted.",
    cause: "A quote stands inside a cell, and is not doubled.",
    fix: 'Write `""` for each quote within the text, and one quote before and after it.',
  },
  "csv/unclosed-quote": {
    severity: "error",
    rule: "A quoted cell ends with a quote.",
    cause: "A quote opens a cell and none closes it.",
    fix: "Close the cell with a quote.",
  },
  "csv/row-too-long": {
    severity: "error",
    rule: "A row is of a sensible size.",
    cause: "A quote too many or too few made many rows one.",
    fix: "Look for the quote in the row where it begins.",
  },
  "csv/syntax": {
    severity: "error",
    rule: "The file is CSV.",
    cause: "The file is no table of separated values.",
    fix: "Save it as CSV again.",
  },
} as const satisfies Record<string, ProblemEntry>;
