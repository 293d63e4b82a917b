import type { ProblemEntry } from "../code-entry.ts";

export const APPLY_CODES = {
  "apply/needs-yes": {
    severity: "error",
    rule: "An apply without a terminal says --yes.",
    cause: "Apply asks before it acts, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Review the plan, then run again with `--yes`.",
  },
  "apply/plan-changed": {
    severity: "error",
    rule: "A saved plan is still what would be done.",
    cause: "A calendar, a picture or the service changed after the plan was saved.",
    fix: "Plan again, and review what it shows.",
  },
  "apply/plan-file": {
    severity: "error",
    rule: "A plan file is as plancast wrote it.",
    cause: "The file is not one that `plan --out` wrote, or was edited.",
    fix: "Make it again with `plancast plan --out FILE`.",
  },
  "apply/already-published": {
    severity: "error",
    rule: "A post is cancelled before it is published.",
    cause: "The post went out before it could be cancelled.",
    fix: "Nothing can take it back here; look at the network itself.",
  },
  "apply/half-replaced": {
    severity: "error",
    rule: "A replacement that began is finished.",
    cause: "The old post was cancelled and the new one could not be created.",
    fix: "Run apply again at once.",
  },
} as const satisfies Record<string, ProblemEntry>;
