/** Problems of plancast.yaml. */

import type { ProblemEntry } from "./problem-entry.ts";

export const PROJECT_CODES = {
  "project/not-found": {
    severity: "error",
    rule: "A project has a plancast.yaml, here or in a folder above.",
    cause: "The command was run outside of a project's folder.",
    fix: "Change into the folder with `plancast.yaml`, name the file with `--config`, or run `plancast init` to start a project.",
  },
  "project/unreadable": {
    severity: "error",
    rule: "The project file can be read and is UTF-8.",
    cause: "The file may not be read, is a folder, or was saved in an encoding other than UTF-8.",
    fix: "Check its permissions, and save it as UTF-8.",
  },
  "project/invalid": {
    severity: "error",
    rule: "The project file is YAML of the documented shape.",
    cause:
      "A value is of the wrong kind, or not one of those that are allowed; often a typing error, or a list where one value goes.",
    fix: "Correct the value at the line and column that are named. [The project file](project-file.md) shows every key; an editor that knows JSON Schema checks them as you type.",
  },
  "project/unknown-key": {
    severity: "error",
    rule: "The project file has no keys that plancast does not know.",
    cause:
      "A key is mistyped, stands a level too high or too low, or is a secret, which does not belong in this file.",
    fix: "Take the name that is suggested, or look the key up under [the project file](project-file.md).",
  },
  "project/not-extended": {
    severity: "error",
    rule: "columns --write adds to the project file without changing what it says.",
    cause:
      "The project file is written in a way (anchors, one-line mappings) that cannot be added to without changing the rest, or is not UTF-8.",
    fix: "Add by hand the entry that is shown.",
  },
  "project/exists": {
    severity: "error",
    rule: "init overwrites nothing.",
    cause: "`plancast init` would write a file that is there already.",
    fix: "Run it in an empty folder, or move the file away.",
  },
} as const satisfies Record<string, ProblemEntry>;
