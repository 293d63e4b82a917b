import type { CodeEntry } from "../code-entry.ts";

export const JOURNAL_CODES = {
  "journal/invalid": {
    severity: "error",
    rule: "The journal is as plancast wrote it.",
  },
  "journal/other-service": {
    severity: "error",
    rule: "A run that was cut short is finished before one on another service.",
  },
} as const satisfies Record<string, CodeEntry>;
