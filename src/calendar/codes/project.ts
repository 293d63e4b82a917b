import type { CodeEntry } from "../code-entry.ts";

export const PROJECT_CODES = {
  "project/not-found": {
    severity: "error",
    rule: "A project has a plancast.yaml, here or in a folder above.",
  },
  "project/unreadable": {
    severity: "error",
    rule: "The project file can be read and is UTF-8.",
  },
  "project/invalid": {
    severity: "error",
    rule: "The project file is YAML of the documented shape.",
  },
  "project/unknown-key": {
    severity: "error",
    rule: "The project file has no keys that plancast does not know.",
  },
  "project/not-extended": {
    severity: "error",
    rule: "columns --write adds to the project file without changing what it says.",
  },
  "project/exists": {
    severity: "error",
    rule: "init overwrites nothing.",
  },
} as const satisfies Record<string, CodeEntry>;
