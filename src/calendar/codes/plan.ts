import type { CodeEntry } from "../code-entry.ts";

export const PLAN_CODES = {
  "plan/possible-older-version": {
    severity: "warning",
    rule: "No foreign post stands where a new one is to go.",
  },
  "plan/past-but-scheduled": {
    severity: "warning",
    rule: "No post of a past row is still to come.",
  },
  "plan/unsettled": {
    severity: "warning",
    rule: "Every earlier create has a known outcome.",
  },
  "plan/due-before-turn": {
    severity: "warning",
    rule: "The rate limit lets every post be created before it is due.",
  },
  "plan/cancels-withheld": {
    severity: "warning",
    rule: "Nothing is cancelled while the row may be where this run does not look.",
  },
} as const satisfies Record<string, CodeEntry>;
