/** Problems of single commands: ci, draft, listen, preview and others. */

import type { ProblemEntry } from "./problem-entry.ts";

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

export const PREVIEW_CODES = {
  "preview/address": {
    severity: "error",
    rule: "The preview can be served at its address.",
    cause: "The port is taken by another program.",
    fix: "Choose another `--port`, or leave it out.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const LISTEN_CODES = {
  "listen/address": {
    severity: "error",
    rule: "The receiver of events can listen at its address.",
    cause: "The port is taken by another program, or the host is not this machine's.",
    fix: "Choose another `--port` or `--host`.",
  },
  "listen/path": {
    severity: "error",
    rule: "The kept path of the receiver is as plancast wrote it.",
    cause: "The file that keeps the secret path was edited or damaged.",
    fix: "Delete the file that the message names; then register the new address with `plancast webhooks add`.",
  },
  "listen/in-use": {
    severity: "error",
    rule: "One process at a time receives a project's events.",
    cause: "Another `plancast listen` of this project runs.",
    fix: "Stop that one first.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const OUTCOMES_CODES = {
  "outcomes/invalid": {
    severity: "error",
    rule: "The record of what became of posts is as plancast wrote it.",
    cause: "The file under `.plancast/` was edited, or is of another program.",
    fix: "Move the file away: what it held is asked of the service again.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const CI_CODES = {
  "ci/job": {
    severity: "error",
    rule: "`plancast ci` runs in a job of GitHub Actions, or of a runner like it.",
    cause: "It was started by hand, or the runner does not set what GitHub's does.",
    fix: "Use `plancast plan` and `plancast apply`; `plancast ci` is for the GitHub Action alone.",
  },
  "ci/input": {
    severity: "error",
    rule: "The inputs of the GitHub Action are as action.yml says.",
    cause: "An input under `with:` in the workflow has another value than those that are known.",
    fix: "Write one of the values that the message names.",
  },
  "ci/embedded": {
    severity: "error",
    rule: "A CI job plans and applies on a service that outlives it.",
    cause: "`service.url` in the project file is `embedded`, whose posts would be gone with the job.",
    fix: "Name the address of the real service under `service.url`.",
  },
  "ci/not-reviewed": {
    severity: "error",
    rule: "What the GitHub Action applies was in the plan of a merged pull request, or is the one plan whose hash a person named.",
    cause:
      "The calendar or the service has changed since the plan was reviewed, or the change came without a pull request.",
    fix: "Read the plan that the job shows; then run the workflow by hand with its hash, or open a pull request.",
  },
  "ci/github": {
    severity: "error",
    rule: "GitHub's API does what the GitHub Action asks of it.",
    cause: "The workflow's `permissions:` lack one, or GitHub is in trouble.",
    fix: "Add the permission that the message names, or run the job again.",
  },
  "ci/comment": {
    severity: "warning",
    rule: "The plan can be shown in a comment on its pull request.",
    cause: "The workflow's `permissions:` lack `pull-requests: write`.",
    fix: "Add it; the plan is in the job's summary in any case.",
  },
  "ci/lockfile": {
    severity: "error",
    rule: "The lockfile that an apply changed gets into the repository.",
    cause: "The branch is protected, or the workflow's `permissions:` lack `contents: write`.",
    fix: "Choose `lockfile: pull-request`, or let the workflow push. Until it is there, the next run finds posts by what they say; the old post of a row that is edited or deleted meanwhile stays.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const USAGE_CODES = {
  "usage/arguments": {
    severity: "error",
    rule: "Arguments are as --help says.",
    cause: "A flag or a name is mistyped, or one is missing.",
    fix: "Look at `plancast COMMAND --help`, or at [the commands](commands.md).",
  },
} as const satisfies Record<string, ProblemEntry>;

export const INTERNAL_CODES = {
  "internal/fault": {
    severity: "error",
    rule: "plancast has no faults.",
    cause: "A mistake in plancast itself.",
    fix: "Report it, with what `--verbose` shows. What was done stays on disk; running again is safe.",
  },
} as const satisfies Record<string, ProblemEntry>;
