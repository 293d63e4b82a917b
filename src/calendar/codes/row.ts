import type { ProblemEntry } from "../code-entry.ts";

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
