import type { CodeEntry } from "../code-entry.ts";

export const DISK_CODES = {
  "disk/not-writable": {
    severity: "error",
    rule: "Project state can be written.",
  },
} as const satisfies Record<string, CodeEntry>;
