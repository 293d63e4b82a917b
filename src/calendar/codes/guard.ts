import type { ProblemEntry } from "../code-entry.ts";

export const GUARD_CODES = {
  "guard/too-many-cancels": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancels posts.",
    cause: "Many rows are gone: on purpose, or because a file was emptied, moved or filtered.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/too-many-cancels-percent": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancel_percent of the owned posts.",
    cause: "A large share of the scheduled posts would be cancelled.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/no-rows": {
    severity: "error",
    rule: "Posts are not cancelled because every row is gone.",
    cause: "Every row is gone, often because the calendars are not where they were.",
    fix: "See that the calendars are there; else `apply --allow-cancels N`, or the GitHub Action's inputs `plan` or `allow-cancels`.",
  },
} as const satisfies Record<string, ProblemEntry>;
