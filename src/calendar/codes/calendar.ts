import type { CodeEntry } from "../code-entry.ts";

export const CALENDAR_CODES = {
  "calendar/none-found": {
    severity: "warning",
    rule: "The patterns under `calendars:` match at least one file.",
  },
  "calendar/not-in-project": {
    severity: "error",
    rule: "A calendar named on the command line is one of the project's.",
  },
  "calendar/outside-project": {
    severity: "error",
    rule: "A calendar lies inside the project, links resolved.",
  },
  "calendar/unknown-format": {
    severity: "error",
    rule: "A calendar's name ends in a format that plancast reads.",
  },
  "calendar/unreadable": {
    severity: "error",
    rule: "A calendar can be opened and read.",
  },
  "calendar/too-large": {
    severity: "error",
    rule: "A calendar is small enough to be one.",
  },
  "calendar/encoding": {
    severity: "error",
    rule: "A text calendar's encoding is known.",
  },
  "calendar/guessed-encoding": {
    severity: "warning",
    rule: "Text is Unicode, or its encoding is named.",
  },
  "calendar/empty": {
    severity: "warning",
    rule: "A calendar holds at least one row.",
  },
  "calendar/unknown-key": {
    severity: "error",
    rule: "A YAML calendar has no keys that plancast does not know.",
  },
  "calendar/shape": {
    severity: "error",
    rule: "A YAML calendar is a list of posts, or a mapping with `posts`.",
  },
} as const satisfies Record<string, CodeEntry>;
