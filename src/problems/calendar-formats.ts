/** Problems of the formats: CSV, YAML, workbooks and their sheets. */

import type { ProblemEntry } from "./problem-entry.ts";

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

export const YAML_CODES = {
  "yaml/syntax": {
    severity: "error",
    rule: "The file is YAML 1.2.",
    cause:
      "The file is not YAML: often a tab, a colon in a text without quotes, or an indent that does not fit.",
    fix: "Correct the line that is named; put texts into quotes or after `|`.",
  },
  "yaml/duplicate-key": {
    severity: "error",
    rule: "A mapping names each key once.",
    cause: "A key stands twice in one post.",
    fix: "Keep one.",
  },
  "yaml/several-documents": {
    severity: "error",
    rule: "A file holds one document.",
    cause: "A line `---` begins a second document.",
    fix: "Remove the line, or make two files.",
  },
  "yaml/too-many-aliases": {
    severity: "error",
    rule: "Aliases do not multiply without end.",
    cause: "Aliases of aliases would multiply without end.",
    fix: "Write the values out.",
  },
  "yaml/too-deep": {
    severity: "error",
    rule: "A file nests no deeper than calendars do.",
    cause: "Brackets or indents nest deeper than any calendar does.",
    fix: "Look for a bracket that is never closed.",
  },
  "yaml/lost-hashtag": {
    severity: "warning",
    rule: "A hashtag in a text is not taken for a comment.",
    cause: "A ` #` in a text without quotes begins a comment, so the hashtag is not published.",
    fix: "Put the text into quotes, or write it after `|`.",
  },
  "yaml/unsupported": {
    severity: "error",
    rule: "No YAML 1.1 directive, no tags.",
    cause: "A tag, a directive, or a merge key of YAML 1.1.",
    fix: "Write the value plainly.",
  },
} as const satisfies Record<string, ProblemEntry>;
