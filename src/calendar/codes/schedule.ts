import type { CodeEntry } from "../code-entry.ts";

export const SCHEDULE_CODES = {
  "schedule/format": {
    severity: "error",
    rule: "A time has one of the documented forms.",
  },
  "schedule/ambiguous-date": {
    severity: "error",
    rule: "A date can be read in one way, or `date_order:` says in which.",
  },
  "schedule/date-order": {
    severity: "error",
    rule: "A date has the order that `date_order:` says.",
  },
  "schedule/weekday": {
    severity: "error",
    rule: "A date is the day of the week that stands beside it.",
  },
  "schedule/incomplete": {
    severity: "error",
    rule: "A date has a time, a time has a date.",
  },
  "schedule/conflict": {
    severity: "error",
    rule: "A row gives its time once: scheduled_at, or date and time.",
  },
  "schedule/no-timezone": {
    severity: "error",
    rule: "A time without an offset has a zone to be read in.",
  },
  "schedule/unknown-timezone": {
    severity: "error",
    rule: "A zone is an IANA name.",
  },
  "schedule/nonexistent-time": {
    severity: "error",
    rule: "A local time is not one that a clock change skips.",
  },
  "schedule/ambiguous-time": {
    severity: "error",
    rule: "A local time is not one that happens twice.",
  },
  "schedule/past": {
    severity: "warning",
    rule: "A row that was never scheduled is not already past.",
  },
} as const satisfies Record<string, CodeEntry>;
