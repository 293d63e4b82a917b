import type { CodeEntry } from "../code-entry.ts";

export const SHARE_CODES = {
  "share/address": {
    severity: "error",
    rule: "The address of Redis is a redis:// or rediss:// URL without query or fragment.",
  },
  "share/unreachable": {
    severity: "error",
    rule: "Redis, where it is named, can be reached.",
  },
  "share/refused": {
    severity: "error",
    rule: "Redis does what is asked of it.",
  },
  "share/lost": {
    severity: "error",
    rule: "Redis answers as long as a run goes on.",
  },
  "share/lock-lost": {
    severity: "error",
    rule: "A run keeps its lock in Redis to its end.",
  },
} as const satisfies Record<string, CodeEntry>;
