import type { ProblemEntry } from "../code-entry.ts";

export const FILTER_CODES = {
  "filter/unknown-column": {
    severity: "error",
    rule: "A column by which rows are chosen is one of a calendar.",
    cause: "`only:` or `--only` names a column that no calendar has.",
    fix: "Take a column's name as it is in the header.",
  },
  "filter/no-rows": {
    severity: "warning",
    rule: "A filter leaves some row.",
    cause: "No row has the values that are asked for.",
    fix: "Check the spelling of the value; `plancast columns FILE` shows the columns.",
  },
} as const satisfies Record<string, ProblemEntry>;
