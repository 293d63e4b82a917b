import type { ProblemEntry } from "../code-entry.ts";

export const RUN_CODES = {
  "run/needs-yes": {
    severity: "error",
    rule: "What cannot be taken back is confirmed, or --yes says so.",
    cause: "The command would ask, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Say `--yes`.",
  },
  "run/locked": {
    severity: "error",
    rule: "One run at a time changes something in a project: apply, draft, and what cancels, uploads or adopts.",
    cause: "Another run is going on, or one was killed moments ago.",
    fix: "Wait until it has ended, then run again; `plancast apply --lock-timeout 5m` waits by itself.",
  },
} as const satisfies Record<string, ProblemEntry>;
