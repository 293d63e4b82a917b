import type { CodeEntry } from "../code-entry.ts";

export const RUN_CODES = {
  "run/needs-yes": {
    severity: "error",
    rule: "What cannot be taken back is confirmed, or --yes says so.",
  },
  "run/locked": {
    severity: "error",
    rule: "One apply at a time.",
  },
} as const satisfies Record<string, CodeEntry>;
