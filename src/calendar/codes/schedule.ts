import type { ProblemEntry } from "../code-entry.ts";

export const SCHEDULE_CODES = {
  "schedule/format": {
    severity: "error",
    rule: "A time has one of the documented forms.",
    cause: "The cell holds a time in a form that is not known, or no time at all.",
    fix: "Write it like `2036-03-01 09:30`.",
  },
  "schedule/ambiguous-date": {
    severity: "error",
    rule: "A date can be read in one way, or `date_order:` says in which.",
    cause: "A date such as 3/4/2036 may be the third of April or the fourth of March.",
    fix: "Say `date_order: dmy` (or `mdy`, `ymd`) once in the project file; or write 2036-04-03.",
  },
  "schedule/date-order": {
    severity: "error",
    rule: "A date has the order that `date_order:` says.",
    cause: "The date cannot be read in the order that the project says.",
    fix: "Correct the date, or `date_order:`.",
  },
  "schedule/weekday": {
    severity: "error",
    rule: "A date is the day of the week that stands beside it.",
    cause: "The date and the day of the week beside it do not fit; one of them is wrong.",
    fix: "Correct the one that is wrong.",
  },
  "schedule/incomplete": {
    severity: "error",
    rule: "A date has a time, a time has a date.",
    cause: "There is a date without a time of day, or a time without a date.",
    fix: 'Fill in the other; or set `defaults: { time: "09:30" }`.',
  },
  "schedule/conflict": {
    severity: "error",
    rule: "A row gives its time once: scheduled_at, or date and time.",
    cause: "The row has `scheduled_at` and also `date` or `time`.",
    fix: "Keep one of the two.",
  },
  "schedule/no-timezone": {
    severity: "error",
    rule: "A time without an offset has a zone to be read in.",
    cause: "Neither the row nor the calendar nor the project says in which zone the time is meant.",
    fix: "Say `timezone: Europe/Paris` in the project file.",
  },
  "schedule/unknown-timezone": {
    severity: "error",
    rule: "A zone is an IANA name.",
    cause: "The zone is a short form such as CET, or mistyped.",
    fix: "Write an IANA name, such as `Europe/Paris`.",
  },
  "schedule/nonexistent-time": {
    severity: "error",
    rule: "A local time is not one that a clock change skips.",
    cause: "Clocks are set forward over that time.",
    fix: "Choose a time before or after the change, or give an offset.",
  },
  "schedule/ambiguous-time": {
    severity: "error",
    rule: "A local time is not one that happens twice.",
    cause: "Clocks are set back, so that time happens twice.",
    fix: "Give an offset, such as `+01:00`, or choose another time.",
  },
  "schedule/past": {
    severity: "warning",
    rule: "A row that was never scheduled is not already past.",
    cause: "The time was over before the row was ever scheduled.",
    fix: "Give the row a later time, or leave it: it is not scheduled.",
  },
} as const satisfies Record<string, ProblemEntry>;
