import type { CodeEntry } from "../code-entry.ts";

export const APPLY_CODES = {
  "apply/needs-yes": {
    severity: "error",
    rule: "An apply without a terminal says --yes.",
  },
  "apply/plan-changed": {
    severity: "error",
    rule: "A saved plan is still what would be done.",
  },
  "apply/plan-file": {
    severity: "error",
    rule: "A plan file is as plancast wrote it.",
  },
  "apply/already-published": {
    severity: "error",
    rule: "A post is cancelled before it is published.",
  },
  "apply/half-replaced": {
    severity: "error",
    rule: "A replacement that began is finished.",
  },
} as const satisfies Record<string, CodeEntry>;
