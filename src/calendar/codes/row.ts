import type { CodeEntry } from "../code-entry.ts";

export const ROW_CODES = {
  "row/missing-field": {
    severity: "error",
    rule: "A post has content or media, platforms and a time.",
  },
  "row/id": {
    severity: "error",
    rule: "An id is short, on one line, and does not look like a derived key.",
  },
  "row/duplicate-id": {
    severity: "error",
    rule: "No two rows have one id.",
  },
  "row/duplicate-post": {
    severity: "error",
    rule: "No two rows publish one text at one time on one platform.",
  },
  "row/yes-or-no": {
    severity: "error",
    rule: "A column of yes and no says one of them.",
  },
  "row/unused-variant": {
    severity: "warning",
    rule: "What is said for one platform is for one that the row goes to.",
  },
  "row/variant": {
    severity: "error",
    rule: "One thing is said once for one platform.",
  },
  "row/refused": {
    severity: "error",
    rule: "A row asks for nothing that plancast does not do.",
  },
  "row/carousel": {
    severity: "error",
    rule: "Rows that are one post say the same, but for their media.",
  },
  "row/status": {
    severity: "error",
    rule: "A status is empty, ready, draft or skip, or a word that `status_values:` knows.",
  },
} as const satisfies Record<string, CodeEntry>;
