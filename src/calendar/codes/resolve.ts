import type { CodeEntry } from "../code-entry.ts";

export const RESOLVE_CODES = {
  "resolve/nothing": {
    severity: "error",
    rule: "What is resolved is in doubt.",
  },
  "resolve/not-scheduled": {
    severity: "error",
    rule: "A post that is said to exist is scheduled.",
  },
} as const satisfies Record<string, CodeEntry>;
