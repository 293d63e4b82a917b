import type { ProblemEntry } from "../code-entry.ts";

export const DRAFT_CODES = {
  "draft/size": {
    severity: "error",
    rule: "The size of a picture is width and height, such as 1024x1024.",
    cause: "The size is in words, or one number.",
    fix: "Write width and height in pixels with an x between them.",
  },
  "draft/unknown-key": {
    severity: "error",
    rule: "A row that is to be drafted again has a prompt.",
    cause: "`--again` names a row that is not there, or has no prompt.",
    fix: "Copy the id from the calendar; run `plancast draft --dry-run` to see which rows have a prompt.",
  },
  "draft/not-written": {
    severity: "error",
    rule: "What the service wrote can stand in its calendar.",
    cause: "The cell cannot be edited where it stands, or the file's encoding lacks a character of the text.",
    fix: "Do what the message says of the cell and run again: the text is kept. Or ask for another one with `--again ROW`.",
  },
  "draft/unusable-text": {
    severity: "error",
    rule: "What the service writes is text, and fits into a cell.",
    cause:
      "The service answered with a control character, with half of a character, or with more than a cell of a workbook holds.",
    fix: "Run again: another text is asked for. If that is no better, change the prompt.",
  },
  "draft/file-changed": {
    severity: "error",
    rule: "A calendar does not change while the service is asked.",
    cause: "Somebody saved the file while `plancast draft` ran.",
    fix: "Run it again: the answers are kept and nothing is asked twice.",
  },
} as const satisfies Record<string, ProblemEntry>;
