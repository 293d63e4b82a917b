/** Problems of what runs keep on disk: lockfile, journal, locks. */

import type { ProblemEntry } from "./problem-entry.ts";

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

export const JOURNAL_CODES = {
  "journal/invalid": {
    severity: "error",
    rule: "The journal is as plancast wrote it.",
    cause: "The journal of a run that was cut short was edited or damaged.",
    fix: "Restore it; or look at the service by hand, then move it away.",
  },
  "journal/other-service": {
    severity: "error",
    rule: "A run that was cut short is finished before one on another service.",
    cause: "A run on another service was cut short.",
    fix: "Apply for that service once more first.",
  },
} as const satisfies Record<string, ProblemEntry>;

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

export const DISK_CODES = {
  "disk/not-writable": {
    severity: "error",
    rule: "Project state can be written.",
    cause: "The disk is full, or the folder may not be written.",
    fix: "Free some space, or mend the permissions; then run again.",
  },
} as const satisfies Record<string, ProblemEntry>;
