/** Problems of rows, times and platforms. */

import type { ProblemEntry } from "./problem-entry.ts";

export const ROW_CODES = {
  "row/missing-field": {
    severity: "error",
    rule: "A post has content or media, platforms and a time.",
    cause: "A cell that a post needs is blank.",
    fix: "Fill it in, set a value under `defaults:`, or mark the row as a `draft`.",
  },
  "row/id": {
    severity: "error",
    rule: "An id is short, on one line, and does not look like a derived key.",
    cause: "The id is too long, has several lines, or looks like one that plancast makes.",
    fix: "Give it a short name, such as `spring-1`.",
  },
  "row/duplicate-id": {
    severity: "error",
    rule: "No two rows have one id.",
    cause: "A row was copied with its id.",
    fix: "Give one of them another id, or leave it blank.",
  },
  "row/duplicate-post": {
    severity: "error",
    rule: "No two rows publish one text at one time on one platform.",
    cause: "A row was copied, or stands in two calendars.",
    fix: "Remove one of them, or change its text or time.",
  },
  "row/yes-or-no": {
    severity: "error",
    rule: "A column of yes and no says one of them.",
    cause: "A column that says yes or no for a platform holds something else.",
    fix: "Write yes or no.",
  },
  "row/unused-variant": {
    severity: "warning",
    rule: "What is said for one platform is for one that the row goes to.",
    cause: "A text, picture or time is given for a platform that the row does not go to.",
    fix: "Add the platform, or remove what is for it alone.",
  },
  "row/variant": {
    severity: "error",
    rule: "One thing is said once for one platform.",
    cause: "One thing is said twice for one platform, for example under two of its names.",
    fix: "Keep one.",
  },
  "row/refused": {
    severity: "error",
    rule: "A row asks for nothing that plancast does not do.",
    cause: "The row asks for what plancast does not do, such as the next free time of a queue.",
    fix: "Fill in the time, and leave that cell blank.",
  },
  "row/carousel": {
    severity: "error",
    rule: "Rows that are one post say the same, but for their media.",
    cause: "Rows of one carousel differ in more than their pictures.",
    fix: "Make them the same, or give one another time.",
  },
  "row/status": {
    severity: "error",
    rule: "A status is empty, ready, draft or skip, or a word that `status_values:` knows.",
    cause: "The status is a word of your team's own.",
    fix: "Say what it means: `status_values: { Approved: ready }`.",
  },
  "row/not-drafted": {
    severity: "error",
    rule: "What a row's prompt asks for is written, by `plancast draft` or by hand, before the row is planned.",
    cause: "The row has a `prompt` or an `image_prompt`, and no text or picture yet.",
    fix: "Run `plancast draft`, read what it wrote, and mark the row ready; or write the text yourself.",
  },
} as const satisfies Record<string, ProblemEntry>;

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

export const PLATFORM_CODES = {
  "platform/unknown": {
    severity: "error",
    rule: "A platform is one that the service knows.",
    cause: "The platform is mistyped, or not connected to the account.",
    fix: "Take the name that is suggested; `plancast platforms list` shows what is connected. Give your own words a meaning with `platforms: { insta: instagram }`.",
  },
  "platform/format": {
    severity: "error",
    rule: "A platform is a short name.",
    cause: "The cell holds a sentence, or characters that no platform's name has.",
    fix: "Write names such as `linkedin, x`.",
  },
  "platform/account": {
    severity: "error",
    rule: "The project says which platform an account is.",
    cause: "The file names an account by its number or name.",
    fix: 'Say in the project file which platform it is: `platforms: { "4711": linkedin }`.',
  },
  "platform/unchecked": {
    severity: "warning",
    rule: "The service's list of platforms can be read.",
    cause: "The service does not give its list of platforms, or not to this key.",
    fix: "Nothing; the names are not checked.",
  },
} as const satisfies Record<string, ProblemEntry>;
