import type { CodeEntry } from "../code-entry.ts";

export const CSV_CODES = {
  "csv/no-header": {
    severity: "error",
    rule: "The first row names the columns; where the project says that none does, it is a post.",
  },
  "csv/duplicate-header": {
    severity: "error",
    rule: "No two columns stand for one field.",
  },
  "csv/missing-header": {
    severity: "error",
    rule: "The columns that every post needs are there.",
  },
  "csv/row-above-header": {
    severity: "error",
    rule: "No posts stand above the header.",
  },
  "csv/unknown-column": {
    severity: "warning",
    rule: "Every column stands for a field.",
  },
  "csv/not-carried": {
    severity: "warning",
    rule: "The service has a place for what a column holds.",
  },
  "csv/ragged-row": {
    severity: "error",
    rule: "A row has no more cells than the header has columns.",
  },
  "csv/bare-quote": {
    severity: "error",
    rule: "A quote within a cell is doubled, and the cell is quoted.",
  },
  "csv/unclosed-quote": {
    severity: "error",
    rule: "A quoted cell ends with a quote.",
  },
  "csv/row-too-long": {
    severity: "error",
    rule: "A row is of a sensible size.",
  },
  "csv/syntax": {
    severity: "error",
    rule: "The file is CSV.",
  },
} as const satisfies Record<string, CodeEntry>;
