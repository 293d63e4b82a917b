import type { ProblemEntry } from "../code-entry.ts";

export const LOCKFILE_CODES = {
  "lockfile/unreadable": {
    severity: "error",
    rule: "The lockfile can be read, and written.",
    cause: "The file may not be read.",
    fix: "Check its permissions.",
  },
  "lockfile/invalid": {
    severity: "error",
    rule: "The lockfile is as plancast wrote it.",
    cause: "The lockfile was edited, or cut short.",
    fix: "Restore it from git; or remove it: the posts are found again on the service.",
  },
  "lockfile/conflict": {
    severity: "error",
    rule: "The lockfile holds no conflict markers.",
    cause: "Two branches changed the lockfile, and git left its markers.",
    fix: "Keep the lines of both sides.",
  },
  "lockfile/newer-version": {
    severity: "error",
    rule: "The lockfile's version is one that this plancast knows.",
    cause: "A newer plancast wrote the lockfile.",
    fix: "Install the version that your team uses.",
  },
  "lockfile/other-service": {
    severity: "error",
    rule: "The lockfile is of the service that is configured.",
    cause: "The lockfile is of another address than this run's.",
    fix: "Set the address back, or name another lockfile with `lockfile:`.",
  },
} as const satisfies Record<string, ProblemEntry>;
