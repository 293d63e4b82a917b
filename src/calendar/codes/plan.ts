import type { ProblemEntry } from "../code-entry.ts";

export const PLAN_CODES = {
  "plan/possible-older-version": {
    severity: "warning",
    rule: "No foreign post stands where a new one is to go.",
    cause: "A post that plancast did not make stands at the same time on the same platform.",
    fix: "Look at it on the service; if it is an older version of the row, cancel it there.",
  },
  "plan/past-but-scheduled": {
    severity: "warning",
    rule: "No post of a past row is still to come.",
    cause: "The row's time is over and its post is still to come: the row was moved into the past.",
    fix: "Give the row a later time, or cancel the post with `plancast posts cancel ID`.",
  },
  "plan/unsettled": {
    severity: "warning",
    rule: "Every earlier create has a known outcome.",
    cause: "An earlier run ended before it knew whether a post had been created.",
    fix: "Wait and plan again; or look at the service and use `plancast resolve`.",
  },
  "plan/due-before-turn": {
    severity: "warning",
    rule: "The rate limit lets every post be created before it is due.",
    cause: "There are more posts to create than the rate limit allows before they are due.",
    fix: "Apply earlier, or move posts.",
  },
  "plan/cancels-withheld": {
    severity: "warning",
    rule: "Nothing is cancelled while the row may be where this run does not look.",
    cause: "Rows seem gone, but the run looks at a part of the calendars only.",
    fix: "Run without `--only`, or give rows ids.",
  },
} as const satisfies Record<string, ProblemEntry>;
