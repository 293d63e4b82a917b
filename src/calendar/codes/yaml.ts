import type { CodeEntry } from "../code-entry.ts";

export const YAML_CODES = {
  "yaml/syntax": {
    severity: "error",
    rule: "The file is YAML 1.2.",
  },
  "yaml/duplicate-key": {
    severity: "error",
    rule: "A mapping names each key once.",
  },
  "yaml/several-documents": {
    severity: "error",
    rule: "A file holds one document.",
  },
  "yaml/too-many-aliases": {
    severity: "error",
    rule: "Aliases do not multiply without end.",
  },
  "yaml/too-deep": {
    severity: "error",
    rule: "A file nests no deeper than calendars do.",
  },
  "yaml/lost-hashtag": {
    severity: "warning",
    rule: "A hashtag in a text is not taken for a comment.",
  },
  "yaml/unsupported": {
    severity: "error",
    rule: "No YAML 1.1 directive, no tags.",
  },
} as const satisfies Record<string, CodeEntry>;
