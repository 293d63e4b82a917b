/** Problems of single commands: apply, pull, draft, preview, resolve, ci and others. */
export const COMMAND_CODES = {
  "guard/too-many-cancels": {
    rule: "An apply cancels at most safety.max_cancels posts.",
    cause: "Many rows are gone: on purpose, or because a file was emptied, moved or filtered.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/too-many-cancels-percent": {
    rule: "An apply cancels at most safety.max_cancel_percent of the owned posts.",
    cause: "A large share of the scheduled posts would be cancelled.",
    fix: "If the plan is right, say `apply --allow-cancels N` with the exact number; in the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/no-rows": {
    rule: "Posts are not cancelled because every row is gone.",
    cause: "Every row is gone, often because the calendars are not where they were.",
    fix: "See that the calendars are there; else `apply --allow-cancels N`, or the GitHub Action's inputs `plan` or `allow-cancels`.",
  },
  "guard/too-many-missing": {
    rule: "An apply makes at most safety.max_missing missing posts again, and at most safety.max_missing_percent of the owned ones.",
    cause:
      "Many posts that should be scheduled are missing on the service: somebody removed them, or the key is of another account.",
    fix: "Check the key. If the posts are to be made again, say `apply --allow-recreates N` with the exact number; in the GitHub Action, use the input `allow-recreates`.",
  },
  "apply/needs-yes": {
    rule: "An apply without a terminal says --yes.",
    cause: "Apply asks before it acts, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Review the plan, then run again with `--yes`.",
  },
  "apply/plan-changed": {
    rule: "A saved plan is still what would be done.",
    cause: "A calendar, a picture or the service changed after the plan was saved.",
    fix: "Plan again, and review what it shows.",
  },
  "apply/plan-file": {
    rule: "A plan file is as plancast wrote it.",
    cause: "The file is not one that `plan --out` wrote, or was edited.",
    fix: "Make it again with `plancast plan --out FILE`.",
  },
  "apply/already-published": {
    rule: "A post is cancelled before it is published.",
    cause: "The post went out before it could be cancelled.",
    fix: "Nothing can take it back here; look at the network itself.",
  },
  "apply/half-replaced": {
    rule: "A replacement that began is finished.",
    cause: "The old post was cancelled and the new one could not be created.",
    fix: "Run apply again at once.",
  },
  "write/unwritable": {
    rule: "What a calendar says can be written in the format that is asked for.",
    cause: "The other format has no way to say something that the calendar says.",
    fix: "Write another format, or take that out.",
  },
  "write/not-the-same": {
    rule: "What was written would be read as what it was written from.",
    cause: "Read back, the file would not give the same posts, so it was not written.",
    fix: "Choose another name or format, as the message says.",
  },
  "write/exists": {
    rule: "A file is replaced only if plancast wrote it, or with --force.",
    cause: "A file of that name is there.",
    fix: "Name another with `--out`, or say `--force`.",
  },
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
    rule: "Posts are adopted whose rows are in a calendar of the project.",
    cause: "The file is none of the project's calendars, so its posts would be cancelled at the next apply.",
    fix: "Name a file that a pattern under `calendars:` matches.",
  },
  "draft/size": {
    rule: "The size of a picture is width and height, such as 1024x1024.",
    cause: "The size is in words, or one number.",
    fix: "Write width and height in pixels with an x between them.",
  },
  "draft/unknown-key": {
    rule: "A row that is to be drafted again has a prompt.",
    cause: "`--again` names a row that is not there, or has no prompt.",
    fix: "Copy the id from the calendar; run `plancast draft --dry-run` to see which rows have a prompt.",
  },
  "draft/not-written": {
    rule: "What the service wrote can stand in its calendar.",
    cause: "The cell cannot be edited where it stands, or the file's encoding lacks a character of the text.",
    fix: "Do what the message says of the cell and run again: the text is kept. Or ask for another one with `--again ROW`.",
  },
  "draft/unusable-text": {
    rule: "What the service writes is text, and fits into a cell.",
    cause:
      "The service answered with a control character, with half of a character, or with more than a cell of a workbook holds.",
    fix: "Run again: another text is asked for. If that is no better, change the prompt.",
  },
  "draft/file-changed": {
    rule: "A calendar does not change while the service is asked.",
    cause: "Somebody saved the file while `plancast draft` ran.",
    fix: "Run it again: the answers are kept and nothing is asked twice.",
  },
  "preview/address": {
    rule: "The preview can be served at its address.",
    cause: "The port is taken by another program.",
    fix: "Choose another `--port`, or leave it out.",
  },
  "resolve/nothing": {
    rule: "What is resolved is in doubt.",
    cause: "The key is not one whose outcome is in doubt.",
    fix: "Run `plancast resolve` to see which are.",
  },
  "resolve/not-scheduled": {
    rule: "A post that is said to exist is scheduled.",
    cause: "The id is of no scheduled post, or of another row's.",
    fix: "Copy the id from the service again.",
  },
  "ci/job": {
    rule: "`plancast ci` runs in a job of GitHub Actions, or of a runner like it.",
    cause: "It was started by hand, or the runner does not set what GitHub's does.",
    fix: "Use `plancast plan` and `plancast apply`; `plancast ci` is for the GitHub Action alone.",
  },
  "ci/input": {
    rule: "The inputs of the GitHub Action are as action.yml says.",
    cause: "An input under `with:` in the workflow has another value than those that are known.",
    fix: "Write one of the values that the message names.",
  },
  "ci/stdout": {
    rule: "In a CI job, calendars and feeds are written to a file.",
    cause: "A CI log takes some lines for commands, such as `::set-env`, and rows can contain such lines.",
    fix: "Name a file with `--out`.",
  },
  "ci/embedded": {
    rule: "A CI job plans and applies on a service that outlives it.",
    cause: "`service.url` in `plancast.yaml` is `embedded`, whose posts would be gone with the job.",
    fix: "Name the address of the real service under `service.url`.",
  },
  "ci/not-reviewed": {
    rule: "What the GitHub Action applies was in the plan of a merged pull request, or is the one plan whose hash a person named.",
    cause:
      "The calendar or the service has changed since the plan was reviewed, or the change came without a pull request.",
    fix: "Read the plan that the job shows; then run the workflow by hand with its hash, or open a pull request.",
  },
  "ci/github": {
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
    rule: "The lockfile that an apply changed gets into the repository.",
    cause: "The branch is protected, or the workflow's `permissions:` lack `contents: write`.",
    fix: "Choose `lockfile: pull-request`, or let the workflow push. Until it is there, the next run finds posts by what they say; the old post of a row that is edited or deleted meanwhile stays.",
  },
} as const;

/** Problems of the program, and of how it is called. */
export const PROGRAM_CODES = {
  "client/arguments": {
    rule: "The client is called as its types say.",
    cause: "A script called the client in another way than its types say.",
    fix: "Call it as [its types](../run/client.md) say; nothing was sent.",
  },
  "client/closed": {
    rule: "A client is used before it is closed.",
    cause: "A script used the client after `close()`.",
    fix: "Close it last.",
  },
  "usage/arguments": {
    rule: "Arguments are as --help says.",
    cause: "A flag or a name is mistyped, or one is missing.",
    fix: "Look at `plancast COMMAND --help`, or at [the commands](commands.md).",
  },
  "internal/fault": {
    rule: "plancast has no faults.",
    cause: "A mistake in plancast itself.",
    fix: "Report it, with what `--verbose` shows. What was done stays on disk; running again is safe.",
  },
} as const;
