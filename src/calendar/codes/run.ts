import type { CodeEntry } from "../code-entry.ts";

export const RUN_CODES = {
  "run/needs-yes": {
    severity: "error",
    rule: "What cannot be taken back is confirmed, or --yes says so.",
    cause: "The command would ask, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Say `--yes`.",
  },
  "run/locked": {
    severity: "error",
    rule: "One apply at a time.",
    cause: "Another apply is running, or one was killed moments ago.",
    fix: "Wait, or say `--lock-timeout 5m`.",
  },
} as const satisfies Record<string, CodeEntry>;
