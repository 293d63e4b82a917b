/** Problems of plan, apply, pull and resolve. */

import type { ProblemEntry } from "./problem-entry.ts";

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

export const GUARD_CODES = {
  "guard/too-many-cancels": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancels posts.",
    cause: "Many rows are gone: on purpose, or because a file was emptied, moved or filtered.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/too-many-cancels-percent": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancel_percent of the owned posts.",
    cause: "A large share of the scheduled posts would be cancelled.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/no-rows": {
    severity: "error",
    rule: "Posts are not cancelled because every row is gone.",
    cause: "Every row is gone, often because the calendars are not where they were.",
    fix: "See that the calendars are there; else `apply --allow-cancels N`, or the GitHub Action's inputs `plan` or `allow-cancels`.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const APPLY_CODES = {
  "apply/needs-yes": {
    severity: "error",
    rule: "An apply without a terminal says --yes.",
    cause: "Apply asks before it acts, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Review the plan, then run again with `--yes`.",
  },
  "apply/plan-changed": {
    severity: "error",
    rule: "A saved plan is still what would be done.",
    cause: "A calendar, a picture or the service changed after the plan was saved.",
    fix: "Plan again, and review what it shows.",
  },
  "apply/plan-file": {
    severity: "error",
    rule: "A plan file is as plancast wrote it.",
    cause: "The file is not one that `plan --out` wrote, or was edited.",
    fix: "Make it again with `plancast plan --out FILE`.",
  },
  "apply/already-published": {
    severity: "error",
    rule: "A post is cancelled before it is published.",
    cause: "The post went out before it could be cancelled.",
    fix: "Nothing can take it back here; look at the network itself.",
  },
  "apply/half-replaced": {
    severity: "error",
    rule: "A replacement that began is finished.",
    cause: "The old post was cancelled and the new one could not be created.",
    fix: "Run apply again at once.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const RESOLVE_CODES = {
  "resolve/nothing": {
    severity: "error",
    rule: "What is resolved is in doubt.",
    cause: "The key is not one whose outcome is in doubt.",
    fix: "Run `plancast resolve` to see which are.",
  },
  "resolve/not-scheduled": {
    severity: "error",
    rule: "A post that is said to exist is scheduled.",
    cause: "The id is of no scheduled post, or of another row's.",
    fix: "Copy the id from the service again.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const PULL_CODES = {
  "pull/left-out": {
    severity: "warning",
    rule: "Every scheduled post can be written as a row.",
    cause: "A scheduled post says something that no row can say.",
    fix: "Look at it on the service; it is left alone.",
  },
  "pull/media-untold": {
    severity: "warning",
    rule: "The service tells the media of its posts.",
    cause: "The service does not tell which media its posts hold.",
    fix: "Add the pictures by hand where a post should have one.",
  },
  "pull/not-adopted": {
    severity: "error",
    rule: "Posts are adopted whose rows are in a calendar of the project.",
    cause: "The file is none of the project's calendars, so its posts would be cancelled at the next apply.",
    fix: "Name a file that a pattern under `calendars:` matches.",
  },
} as const satisfies Record<string, ProblemEntry>;
