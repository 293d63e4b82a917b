import type { ProblemEntry } from "../code-entry.ts";

export const WRITE_CODES = {
  "write/unwritable": {
    severity: "error",
    rule: "What a calendar says can be written in the format that is asked for.",
    cause: "The other format has no way to say something that the calendar says.",
    fix: "Write another format, or take that out.",
  },
  "write/not-the-same": {
    severity: "error",
    rule: "What was written would be read as what it was written from.",
    cause: "Read back, the file would not give the same posts, so it was not written.",
    fix: "Choose another name or format, as the message says.",
  },
  "write/exists": {
    severity: "error",
    rule: "A file is replaced only if plancast wrote it, or with --force.",
    cause: "A file of that name is there.",
    fix: "Name another with `--out`, or say `--force`.",
  },
} as const satisfies Record<string, ProblemEntry>;
