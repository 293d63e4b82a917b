import type { CodeEntry } from "../code-entry.ts";

export const INTERNAL_CODES = {
  "internal/fault": {
    severity: "error",
    rule: "plancast has no faults.",
  },
} as const satisfies Record<string, CodeEntry>;
