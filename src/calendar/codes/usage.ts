import type { CodeEntry } from "../code-entry.ts";

export const USAGE_CODES = {
  "usage/arguments": {
    severity: "error",
    rule: "Arguments are as --help says.",
  },
} as const satisfies Record<string, CodeEntry>;
