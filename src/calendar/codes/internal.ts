import type { ProblemEntry } from "../code-entry.ts";

export const INTERNAL_CODES = {
  "internal/fault": {
    severity: "error",
    rule: "plancast has no faults.",
    cause: "A mistake in plancast itself.",
    fix: "Report it, with what `--verbose` shows. What was done stays on disk; running again is safe.",
  },
} as const satisfies Record<string, ProblemEntry>;
