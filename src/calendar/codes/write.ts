import type { CodeEntry } from "../code-entry.ts";

export const WRITE_CODES = {
  "write/unwritable": {
    severity: "error",
    rule: "What a calendar says can be written in the format that is asked for.",
  },
  "write/not-the-same": {
    severity: "error",
    rule: "What was written would be read as what it was written from.",
  },
  "write/exists": {
    severity: "error",
    rule: "A file is overwritten only with --force.",
  },
} as const satisfies Record<string, CodeEntry>;
