/** Problems of single commands: apply, pull, draft, preview, resolve, ci and others. */
export const COMMAND_CODES = {
  "guard/too-many-cancels": {
    rule: "An apply cancels at most `safety.max_cancels` posts.",
    cause: "Many rows are gone. Somebody deleted them, or a file was emptied, moved or filtered.",
    fix: "If the plan is right, run `plancast apply --allow-cancels N` with the exact number. In the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/too-many-cancels-percent": {
    rule: "An apply cancels at most `safety.max_cancel_percent` of the owned posts.",
    cause: "The plan would cancel a large share of the scheduled posts.",
    fix: "If the plan is right, run `plancast apply --allow-cancels N` with the exact number. In the GitHub Action, run the workflow by hand with the hash of the plan.",
  },
  "guard/no-rows": {
    rule: "An apply does not cancel all posts because every row is gone.",
    cause: "Every row is gone, often because the calendars were moved.",
    fix: "Check that the calendars are in place. To cancel all posts, run `plancast apply --allow-cancels N`, or use the GitHub Action's inputs `plan` or `allow-cancels`.",
  },
  "guard/not-as-recorded": {
    rule: "A post is cancelled only if it is as plancast scheduled it.",
    cause:
      "Somebody edited the post on the service, or the lockfile was edited and names a post that is not this project's.",
    fix: "Look at the posts that the plan warns about, and at the latest changes of the lockfile. If the posts are yours and you want to cancel them, run `plancast apply --allow-cancels N` with the exact number; in the GitHub Action, use the input `allow-cancels`.",
  },
  "guard/too-many-missing": {
    rule: "An apply creates at most `safety.max_missing` missing posts again, and at most `safety.max_missing_percent` of the owned ones.",
    cause:
      "Many owned posts are missing on the service. Somebody removed them, the key belongs to another account, or the lockfile is of the embedded service of another machine.",
    fix: "Check the key. If the service is `embedded`, run `plancast lockfile forget`. To create the posts again, run `apply --allow-recreates N` with the exact number. In the GitHub Action, use the input `allow-recreates`.",
  },
  "apply/needs-yes": {
    rule: "Without a terminal, apply needs `--yes`.",
    cause: "Apply asks before it acts, but there is no terminal: it runs in CI or in a pipe.",
    fix: "Review the plan, then run again with `--yes`.",
  },
  "apply/plan-changed": {
    rule: "A saved plan still matches the calendars and the service.",
    cause: "A calendar, a picture or the service changed after you saved the plan.",
    fix: "Make the plan again and review it.",
  },
  "apply/plan-file": {
    rule: "A plan file is exactly as plancast wrote it.",
    cause: "`plan --out` did not write this file, or somebody edited it.",
    fix: "Make it again with `plancast plan --out FILE`.",
  },
  "apply/already-published": {
    rule: "plancast cancels a post before it is published.",
    cause: "The post was published before plancast could cancel it.",
    fix: "plancast cannot undo this. Remove the post on its network.",
  },
  "apply/half-replaced": {
    rule: "A replacement creates the new post after it cancels the old one.",
    cause: "plancast cancelled the old post, but could not create the new one.",
    fix: "Run apply again now.",
  },
  "write/unwritable": {
    rule: "The new format can hold everything in the calendar.",
    cause: "The calendar contains something that the new format cannot hold.",
    fix: "Choose another format, or remove that part.",
  },
  "write/not-the-same": {
    rule: "A written calendar gives the same posts as the original.",
    cause: "The new file would contain different posts, so plancast did not write it.",
    fix: "Choose another name or format, as the message says.",
  },
  "write/exists": {
    rule: "plancast replaces only files that it wrote, unless you pass `--force`.",
    cause: "A file with that name already exists.",
    fix: "Name another file with `--out`, or pass `--force`.",
  },
  "pull/left-out": {
    severity: "warning",
    rule: "Each scheduled post fits into a row.",
    cause: "A scheduled post contains something that no row can hold.",
    fix: "Check the post on the service. plancast does not change it.",
  },
  "pull/media-untold": {
    severity: "warning",
    rule: "The service shows the media of its posts.",
    cause: "The service does not show which media its posts have.",
    fix: "Add the media to their rows by hand.",
  },
  "pull/not-adopted": {
    rule: "plancast adopts posts only if their rows are in a calendar of the project.",
    cause: "The file is not one of the project's calendars, so the next apply would cancel its posts.",
    fix: "Name a file that a pattern under `calendars:` matches.",
  },
  "draft/size": {
    rule: "The size of a picture is width and height, such as 1024x1024.",
    cause: "The size is in words, or only one number.",
    fix: "Write width and height in pixels with an x between them.",
  },
  "draft/unknown-key": {
    rule: "`--again` names a row that has a prompt.",
    cause: "The row does not exist, or has no prompt.",
    fix: "Copy the id from the calendar. `plancast draft --dry-run` shows which rows have a prompt.",
  },
  "draft/not-written": {
    rule: "plancast can write the drafted text into its calendar.",
    cause: "plancast cannot edit the cell, or the file's encoding has no code for a character of the text.",
    fix: "Change the cell as the message says and run again: plancast kept the text. To get another text, use `--again ROW`.",
  },
  "draft/unusable-text": {
    rule: "A drafted text contains only characters that a cell can hold.",
    cause:
      "The service's text contains a control character or half of a character, or is too long for a cell of a workbook.",
    fix: "Run again to get another text. If that does not help, change the prompt.",
  },
  "draft/file-changed": {
    rule: "A calendar does not change while `plancast draft` runs.",
    cause: "Somebody saved the file while `plancast draft` ran.",
    fix: "Run it again. plancast kept the answers and sends no request twice.",
  },
  "preview/address": {
    rule: "The port of the preview is free.",
    cause: "Another program uses the port.",
    fix: "Choose another `--port`, or leave it out.",
  },
  "resolve/nothing": {
    rule: "The post in `plancast resolve` is a pending create.",
    cause: "plancast already knows the outcome of this post, or the key is mistyped.",
    fix: "Run `plancast resolve` to list the pending creates.",
  },
  "resolve/not-scheduled": {
    rule: "The post in `--exists` is scheduled.",
    cause: "The service has no scheduled post with this id, or it belongs to another row.",
    fix: "Copy the id from the service again.",
  },
  "ci/job": {
    rule: "`plancast ci` runs in a job of GitHub Actions or a compatible runner.",
    cause: "Somebody started it by hand, or the runner does not set the variables that GitHub sets.",
    fix: "Use `plancast plan` and `plancast apply`. `plancast ci` is only for the GitHub Action.",
  },
  "ci/input": {
    rule: "Each input of the GitHub Action has a value that action.yml allows.",
    cause: "An input under `with:` in the workflow has another value.",
    fix: "Use one of the values in the message.",
  },
  "ci/stdout": {
    rule: "In a CI job, plancast writes calendars and feeds to a file.",
    cause:
      "A CI log treats some lines as commands, such as `::set-env`, and rows can contain lines like this.",
    fix: "Name a file with `--out`.",
  },
  "ci/embedded": {
    rule: "A CI job applies to a service that still exists after the job. The same is true for a plan of the GitHub Action.",
    cause: "`service.url` in `plancast.yaml` is `embedded`, whose posts disappear with the job.",
    fix: "Set `service.url` to the address of your service. To try the embedded service in CI, set `CI=false` for the command.",
  },
  "ci/not-reviewed": {
    rule: "The GitHub Action applies only a plan of a merged pull request, or the plan whose hash you give it.",
    cause: "The calendar or the service changed after the review, or the change came without a pull request.",
    fix: "Read the plan in the job. Then run the workflow by hand with its hash, or open a pull request.",
  },
  "ci/github": {
    rule: "GitHub's API accepts the requests of the GitHub Action.",
    cause: "A permission is missing in the workflow's `permissions:`, or GitHub has an outage.",
    fix: "Add the permission in the message, or run the job again.",
  },
  "ci/comment": {
    severity: "warning",
    rule: "The GitHub Action can comment on the pull request.",
    cause: "`pull-requests: write` is missing in the workflow's `permissions:`.",
    fix: "Add it. The job's summary shows the plan in any case.",
  },
  "ci/lockfile": {
    rule: "The GitHub Action can push the changed lockfile to the repository.",
    cause: "The branch is protected, or `contents: write` is missing in the workflow's `permissions:`.",
    fix: "Use `lockfile: pull-request`, or allow the workflow to push. Until then, do not edit or delete rows: the next run could not find their old posts.",
  },
} as const;

/** Problems of the program, and of how it is called. */
export const PROGRAM_CODES = {
  "client/arguments": {
    rule: "A script calls the client as its types require.",
    cause: "A script passed an argument that the types do not allow.",
    fix: "Correct the call: [its types](../run/client.md) show how. plancast sent nothing.",
  },
  "client/closed": {
    rule: "A script does not use the client after it closes it.",
    cause: "A script used the client after `close()`.",
    fix: "Call `close()` last.",
  },
  "usage/arguments": {
    rule: "Arguments match the help of the command.",
    cause: "A flag or name is mistyped or missing.",
    fix: "See `plancast COMMAND --help` or [the commands](commands.md).",
  },
  "internal/fault": {
    rule: "plancast has no bugs.",
    cause: "There is a bug in plancast.",
    fix: "Report it, with the output of `--verbose`. plancast saved what it did, so it is safe to run again.",
  },
} as const;
