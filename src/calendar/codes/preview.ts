import type { ProblemEntry } from "../code-entry.ts";

export const PREVIEW_CODES = {
  "preview/address": {
    severity: "error",
    rule: "The preview can be served at its address.",
    cause: "The port is taken by another program.",
    fix: "Choose another `--port`, or leave it out.",
  },
} as const satisfies Record<string, ProblemEntry>;
