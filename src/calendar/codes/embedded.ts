import type { CodeEntry } from "../code-entry.ts";

export const EMBEDDED_CODES = {
  "embedded/in-use": {
    severity: "error",
    rule: "One process at a time writes to the embedded service's store.",
  },
  "embedded/store-invalid": {
    severity: "error",
    rule: "The embedded service's store is as plancast wrote it.",
  },
  "embedded/address": {
    severity: "error",
    rule: "The embedded service can listen at its address.",
  },
} as const satisfies Record<string, CodeEntry>;
