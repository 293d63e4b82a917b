import type { ProblemEntry } from "../code-entry.ts";

export const DISK_CODES = {
  "disk/not-writable": {
    severity: "error",
    rule: "Project state can be written.",
    cause: "The disk is full, or the folder may not be written.",
    fix: "Free some space, or mend the permissions; then run again.",
  },
} as const satisfies Record<string, ProblemEntry>;
