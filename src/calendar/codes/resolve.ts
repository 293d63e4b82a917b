import type { ProblemEntry } from "../code-entry.ts";

export const RESOLVE_CODES = {
  "resolve/nothing": {
    severity: "error",
    rule: "What is resolved is in doubt.",
    cause: "The key is not one whose outcome is in doubt.",
    fix: "Run `plancast resolve` to see which are.",
  },
  "resolve/not-scheduled": {
    severity: "error",
    rule: "A post that is said to exist is scheduled.",
    cause: "The id is of no scheduled post, or of another row's.",
    fix: "Copy the id from the service again.",
  },
} as const satisfies Record<string, ProblemEntry>;
