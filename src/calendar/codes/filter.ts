import type { CodeEntry } from "../code-entry.ts";

export const FILTER_CODES = {
  "filter/unknown-column": {
    severity: "error",
    rule: "A column by which rows are chosen is one of a calendar.",
  },
  "filter/no-rows": {
    severity: "warning",
    rule: "A filter leaves some row.",
  },
} as const satisfies Record<string, CodeEntry>;
