import type { CodeEntry } from "../code-entry.ts";

export const GUARD_CODES = {
  "guard/too-many-cancels": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancels posts.",
  },
  "guard/too-many-cancels-percent": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancel_percent of the owned posts.",
  },
  "guard/no-rows": {
    severity: "error",
    rule: "Posts are not cancelled because every row is gone.",
  },
} as const satisfies Record<string, CodeEntry>;
