import type { ProblemEntry } from "../code-entry.ts";

export const EMBEDDED_CODES = {
  "embedded/in-use": {
    severity: "error",
    rule: "One process at a time writes to the embedded service's store.",
    cause: "Another plancast has the store of the embedded service open.",
    fix: "Wait until it ends, or stop it.",
  },
  "embedded/store-invalid": {
    severity: "error",
    rule: "The embedded service's store is as plancast wrote it.",
    cause: "The store was edited, damaged, or written by a newer plancast.",
    fix: "Restore it; or move the folder `.plancast/embedded` away to start empty.",
  },
  "embedded/address": {
    severity: "error",
    rule: "The embedded service can listen at its address.",
    cause: "The port is taken, or may not be used.",
    fix: "Name another with `--port`, or `--port 0` for any that is free.",
  },
} as const satisfies Record<string, ProblemEntry>;
