import type { ProblemEntry } from "../code-entry.ts";

export const USAGE_CODES = {
  "usage/arguments": {
    severity: "error",
    rule: "Arguments are as --help says.",
    cause: "A flag or a name is mistyped, or one is missing.",
    fix: "Look at `plancast COMMAND --help`, or at [the commands](commands.md).",
  },
} as const satisfies Record<string, ProblemEntry>;
