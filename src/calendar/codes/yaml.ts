import type { ProblemEntry } from "../code-entry.ts";

export const YAML_CODES = {
  "yaml/syntax": {
    severity: "error",
    rule: "The file is YAML 1.2.",
    cause:
      "The file is not YAML: often a tab, a colon in a text without quotes, or an indent that does not fit.",
    fix: "Correct the line that is named; put texts into quotes or after `|`.",
  },
  "yaml/duplicate-key": {
    severity: "error",
    rule: "A mapping names each key once.",
    cause: "A key stands twice in one post.",
    fix: "Keep one.",
  },
  "yaml/several-documents": {
    severity: "error",
    rule: "A file holds one document.",
    cause: "A line `---` begins a second document.",
    fix: "Remove the line, or make two files.",
  },
  "yaml/too-many-aliases": {
    severity: "error",
    rule: "Aliases do not multiply without end.",
    cause: "Aliases of aliases would multiply without end.",
    fix: "Write the values out.",
  },
  "yaml/too-deep": {
    severity: "error",
    rule: "A file nests no deeper than calendars do.",
    cause: "Brackets or indents nest deeper than any calendar does.",
    fix: "Look for a bracket that is never closed.",
  },
  "yaml/lost-hashtag": {
    severity: "warning",
    rule: "A hashtag in a text is not taken for a comment.",
    cause: "A ` #` in a text without quotes begins a comment, so the hashtag is not published.",
    fix: "Put the text into quotes, or write it after `|`.",
  },
  "yaml/unsupported": {
    severity: "error",
    rule: "No YAML 1.1 directive, no tags.",
    cause: "A tag, a directive, or a merge key of YAML 1.1.",
    fix: "Write the value plainly.",
  },
} as const satisfies Record<string, ProblemEntry>;
