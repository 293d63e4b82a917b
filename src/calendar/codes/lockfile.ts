import type { CodeEntry } from "../code-entry.ts";

export const LOCKFILE_CODES = {
  "lockfile/unreadable": {
    severity: "error",
    rule: "The lockfile can be read, and written.",
  },
  "lockfile/invalid": {
    severity: "error",
    rule: "The lockfile is as plancast wrote it.",
  },
  "lockfile/conflict": {
    severity: "error",
    rule: "The lockfile holds no conflict markers.",
  },
  "lockfile/newer-version": {
    severity: "error",
    rule: "The lockfile's version is one that this plancast knows.",
  },
  "lockfile/other-service": {
    severity: "error",
    rule: "The lockfile is of the service that is configured.",
  },
} as const satisfies Record<string, CodeEntry>;
