import type { ProblemEntry } from "../code-entry.ts";

export const OUTCOMES_CODES = {
  "outcomes/invalid": {
    severity: "error",
    rule: "The record of what became of posts is as plancast wrote it.",
    cause: "The file under `.plancast/` was edited, or is of another program.",
    fix: "Move the file away: what it held is asked of the service again.",
  },
} as const satisfies Record<string, ProblemEntry>;
