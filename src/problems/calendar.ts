/** Problems of a calendar as a file, and of filters. */

import type { ProblemEntry } from "./problem-entry.ts";

export const CALENDAR_CODES = {
  "calendar/none-found": {
    severity: "warning",
    rule: "The patterns under `calendars:` match at least one file.",
    cause: "The patterns under `calendars:` point elsewhere, or the files have another ending.",
    fix: "Put a calendar where a pattern looks, or correct `calendars:`.",
  },
  "calendar/not-in-project": {
    severity: "error",
    rule: "A calendar named on the command line is one of the project's.",
    cause: "The file that is named lies outside the project, or no pattern under `calendars:` matches it.",
    fix: "Name a file that a pattern matches, or add a pattern for it.",
  },
  "calendar/outside-project": {
    severity: "error",
    rule: "A calendar lies inside the project, links resolved.",
    cause: "A symbolic link leads out of the project.",
    fix: "Put the calendar itself into the project.",
  },
  "calendar/unknown-format": {
    severity: "error",
    rule: "A calendar's name ends in a format that plancast reads.",
    cause: "A pattern matches a file that is no calendar, or one in an older format such as `.xls`.",
    fix: "Save it as XLSX, ODS, CSV or YAML; or narrow the pattern.",
  },
  "calendar/unreadable": {
    severity: "error",
    rule: "A calendar can be opened and read.",
    cause: "The file may not be read, or is no ordinary file.",
    fix: "Check its permissions.",
  },
  "calendar/too-large": {
    severity: "error",
    rule: "A calendar is small enough to be one.",
    cause:
      "The file is far larger than a calendar of posts is: often an export of something else, or a workbook with pictures in it.",
    fix: "Split the calendar by month, and keep pictures beside it.",
  },
  "calendar/encoding": {
    severity: "error",
    rule: "A text calendar's encoding is known.",
    cause: "The file is saved in a code page, or is not text at all.",
    fix: 'Save it as "CSV UTF-8", or name its encoding with `encoding:`.',
  },
  "calendar/guessed-encoding": {
    severity: "warning",
    rule: "Text is Unicode, or its encoding is named.",
    cause: "A CSV was saved by an older spreadsheet program, in Windows-1252 as far as one can tell.",
    fix: "Look whether accents are right; then say `encoding: windows-1252`, or save it as UTF-8.",
  },
  "calendar/empty": {
    severity: "warning",
    rule: "A calendar holds at least one row.",
    cause: "A header without rows, or an empty list.",
    fix: "Add a row; or remove the file.",
  },
  "calendar/unknown-key": {
    severity: "error",
    rule: "A YAML calendar has no keys that plancast does not know.",
    cause: "A key of a post is mistyped, or is one that posts do not have.",
    fix: "Take the name that is suggested.",
  },
  "calendar/shape": {
    severity: "error",
    rule: "A YAML calendar is a list of posts, or a mapping with `posts`.",
    cause: "The file is YAML, but neither a list of posts nor a mapping with `posts`.",
    fix: "Begin each post with `- `, or put them under `posts:`.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const FILTER_CODES = {
  "filter/unknown-column": {
    severity: "error",
    rule: "A column by which rows are chosen is one of a calendar.",
    cause: "`only:` or `--only` names a column that no calendar has.",
    fix: "Take a column's name as it is in the header.",
  },
  "filter/no-rows": {
    severity: "warning",
    rule: "A filter leaves some row.",
    cause: "No row has the values that are asked for.",
    fix: "Check the spelling of the value; `plancast columns FILE` shows the columns.",
  },
} as const satisfies Record<string, ProblemEntry>;
