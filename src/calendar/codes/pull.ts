import type { CodeEntry } from "../code-entry.ts";

export const PULL_CODES = {
  "pull/left-out": {
    severity: "warning",
    rule: "Every scheduled post can be written as a row.",
  },
  "pull/media-untold": {
    severity: "warning",
    rule: "The service tells the media of its posts.",
  },
  "pull/not-adopted": {
    severity: "error",
    rule: "Posts are adopted whose rows are in a calendar of the project.",
  },
} as const satisfies Record<string, CodeEntry>;
