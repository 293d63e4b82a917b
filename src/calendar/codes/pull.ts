import type { ProblemEntry } from "../code-entry.ts";

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
