import type { ProblemEntry } from "../code-entry.ts";

export const JOURNAL_CODES = {
  "journal/invalid": {
    severity: "error",
    rule: "The journal is as plancast wrote it.",
    cause: "The journal of a run that was cut short was edited or damaged.",
    fix: "Restore it; or look at the service by hand, then move it away.",
  },
  "journal/other-service": {
    severity: "error",
    rule: "A run that was cut short is finished before one on another service.",
    cause: "A run on another service was cut short.",
    fix: "Apply for that service once more first.",
  },
} as const satisfies Record<string, ProblemEntry>;
