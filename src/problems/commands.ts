/** Problems of single commands, of the program, and of files and folders on this machine. */

/** Problems of plan, apply, pull, draft, preview, resolve, ci and others. */
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
    rule: "If every row is gone, an apply does not cancel all posts.",
    cause: "Every row is gone, often because the calendars were moved.",
    fix: "Check that the calendars are in place. To cancel all posts, run `plancast apply --allow-cancels N`, or use the GitHub Action's inputs `plan` or `allow-cancels`.",
  },
  "guard/not-as-recorded": {
    rule: "plancast cancels a post only if nobody has changed it on the service.",
    cause:
      "Somebody edited the post on the service. Or somebody edited the lockfile, and it names a post of another project. Or, in CI, only the journal of an interrupted run names the post. The journal may come from a cache, where somebody else could have written it.",
    fix: "Look at the posts that the plan warns about, and at the latest changes of the lockfile. If the posts are yours and you want to cancel them, run `plancast apply --allow-cancels N` with the exact number; in the GitHub Action, use the input `allow-cancels`.",
  },
  "apply/missing": {
    severity: "warning",
    rule: "A row whose post is gone from the service is created again only if a person decides so.",
    cause:
      "Somebody removed the post on the service's page, or another clone has replaced it and this clone's lockfile is older. If many posts are missing, the key may belong to another account, or the lockfile to the embedded service of another machine. A run with --only or --only-valid cancels nothing, so a row that may be the new version of a post waits, too.",
    fix: "If this clone may be old, run `git pull`. To create the posts again, run `plancast apply --allow-recreates N` with the exact number, use the GitHub Action's input `allow-recreates`, or merge a pull request whose plan shows them. Otherwise, delete the rows or set their status to skip.",
  },
  "apply/plan-changed": {
    rule: "A saved or confirmed plan still matches the calendars and the service.",
    cause:
      "A calendar, a picture or the service changed after you saved or confirmed the plan, or the hash is incomplete.",
    fix: "Make the plan again and review it. Ask an assistant for a new plan. If its plan was for some calendars, name them after the hash.",
  },
  "apply/plan-file": {
    rule: "A plan file is exactly as plancast wrote it.",
    cause: "`plan --out` did not write this file, or somebody edited it.",
    fix: "Make it again with `plancast plan --out FILE`.",
  },
  "apply/not-confirmed": {
    rule: "An assistant applies only a plan that a person has confirmed.",
    cause: "Nobody ran `plancast confirm` for this plan, or the confirmation has expired or was used.",
    fix: "Run `plancast confirm HASH` in a terminal, and let the assistant apply the plan within 15 minutes.",
  },
  "apply/already-published": {
    rule: "plancast cancels a post before it is published.",
    cause: "The post was published before plancast could cancel it.",
    fix: "plancast cannot undo this. Remove the post on its network.",
  },
  "apply/half-replaced": {
    rule: "A replacement creates the new post and cancels the old one.",
    cause:
      "plancast cancelled the old post, but could not create the new one. Or somebody else had cancelled the old post, so plancast cancelled the new one, too.",
    fix: "Run apply again now.",
  },
  "apply/not-updated": {
    rule: "An update changes all parts of a post that differ from its row.",
    cause: "The service accepted an update, but kept some parts of the post as they were.",
    fix: "Delete the post on the service, then run apply again: plancast creates a new post for the row.",
  },
  "confirm/not-stored": {
    rule: "plancast saves confirmations outside every checkout.",
    cause: "Your folder for settings is in the checkout, or plancast cannot write to it.",
    fix: "Set XDG_CONFIG_HOME to a folder outside the checkout, or fix the permissions.",
  },
  "mcp/moved": {
    rule: "The folder of the project stays in its place while `plancast mcp` runs.",
    cause: "Somebody moved the folder, or put a link in its place.",
    fix: "Start `plancast mcp` again.",
  },
  "write/unwritable": {
    rule: "The new format can hold everything in the calendar, and gives the same posts.",
    cause:
      "The calendar contains something that the new format cannot hold. Or plancast would read different posts from the new file, often because `plancast.yaml` has settings for files with its name. plancast did not write it.",
    fix: "Choose another format or name, as the message says, or remove that part.",
  },
  "write/lost-columns": {
    severity: "warning",
    rule: "A written calendar has all columns of the original.",
    cause:
      "The calendar has filled columns that plancast ignores. In the new file, plancast would read them as fields.",
    fix: "Copy what you need from the old file.",
  },
  "write/exists": {
    rule: "plancast replaces only files that it wrote, unless you pass `--force`. `plancast init` replaces none.",
    cause: "A file with that name already exists.",
    fix: "Name another file with `--out`, pass `--force`, or move the file away.",
  },
  "write/file-changed": {
    rule: "A calendar and the lockfile do not change while plancast writes into them.",
    cause:
      "Somebody saved the file while the command ran, or after the page showed it. Or git changed it, for example with `git pull`.",
    fix: "Look at the new state of the file, and run the command or the edit again. `apply` adds what an interrupted run did. `draft` kept its answers and sends no request twice. Undo an older edit in the file or with git.",
  },
  "write/row-changed": {
    severity: "warning",
    rule: "A row of a sheet is as it was fetched when its result is written.",
    cause:
      "Somebody edited, moved or removed the row in the sheet since the last fetch, or wrote into plancast's own column.",
    fix: "Nothing is lost: the next `plancast status --write` after a fetch writes the result.",
  },
  "write/not-written": {
    rule: "plancast can write into the cell or key, without changing the rest of the file.",
    cause:
      "The file has errors, is not UTF-8, or its encoding has no code for a character. Or the cell has a formula, is merged, has its value from another place, or shares it with other posts. Or the new value is not possible, such as a time that has passed. Or `plancast.yaml` uses anchors or one-line mappings.",
    fix: "Do what the message says, and run the command again. Or make the change by hand.",
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
  "draft/size": {
    rule: "The size of a picture is width and height, such as 1024x1024.",
    cause: "The size is in words, or only one number.",
    fix: "Write width and height in pixels with an x between them.",
  },
  "draft/not-a-draft": {
    rule: "An assistant changes only rows that are drafts.",
    cause: "The row is ready, so its post is scheduled or will be.",
    fix: "Change its status to draft first, or edit the row yourself.",
  },
  "approvals/file": {
    rule: "A file for `plancast approvals` is exactly the file that the client downloaded from the page.",
    cause: "It is another file, somebody edited or joined files, or a mail program changed it.",
    fix: "Ask your client for the downloaded files. Save them unchanged, and run `plancast approvals` once for each.",
  },
  "approvals/other-project": {
    rule: "A file with answers is for the project in which you run `plancast approvals`.",
    cause: "You run the command in the folder of another client.",
    fix: "Run it in the folder of the right project. If every row changed after you made the page, make a new one.",
  },
  "approvals/unknown-post": {
    rule: "A row of the project still has the post that the client answered.",
    cause: "The row was removed or has an error. A row without an id counts as another post if it changes.",
    fix: "Make a new page with `plancast preview --for-client`. Give your rows an id.",
  },
  "approvals/older": {
    rule: "A newer answer of a client counts more than an older one.",
    cause:
      "You used a file that the client saved before another one. `plancast.approvals.json` has the newer answer.",
    fix: "Use the newest file. If you want the older answer, ask your client to save the answers again.",
  },
  "approvals/changed": {
    rule: "An approval is for exactly the post that the client saw: text, pictures and videos, networks and time. For a row that repeats, also its rule, exceptions and pool.",
    cause: "Somebody changed the row or a picture after the page was made.",
    fix: "Make a new page with `plancast preview --for-client` and ask your client again.",
  },
  "approvals/past": {
    rule: "The post that the client answered is still due.",
    cause: "The answer came after the time of the post.",
    fix: "Give the post a new time, and ask your client again.",
  },
  "approvals/skipped": {
    rule: "`plancast approvals` does not change a row that your team skips.",
    cause: "Somebody skipped the row after the page was made.",
    fix: "Change the status by hand if you want to publish the post.",
  },
  "approvals/status": {
    rule: "It is clear which word `plancast approvals` writes into the status column of a calendar.",
    cause:
      "The rows of the calendar or `status_values` have several words for the status, or a yes-or-no column sets it.",
    fix: "Choose a word: `plancast approvals FILE --ready Approved`. If a yes-or-no column sets the status, change the cell by hand, or give the calendar a status column.",
  },
  "preview/not-allowed": {
    rule: "Only the page itself may edit posts, in the browser of the person who started `plancast preview --serve`.",
    cause:
      "You opened the page without the part of the address after `#`, or plancast was started again. Or another program sent the request.",
    fix: "Open the whole address that `plancast preview --serve` printed last.",
  },
  "plan/possible-older-version": {
    severity: "warning",
    rule: "No unmanaged post is scheduled at the time of a new post.",
    cause: "A post that plancast did not make is scheduled for the same time on the same platform.",
    fix: "Check that post on the service. If it is an older version of the row, cancel it there.",
  },
  "plan/past-but-scheduled": {
    severity: "warning",
    rule: "A row that is past or too soon has no scheduled post.",
    cause:
      "The row's time has passed, or is less than `safety.lead_time` away, but its post is still scheduled for a later time.",
    fix: "Give the row a later time, or cancel the post with `plancast posts cancel ID`.",
  },
  "plan/unsettled": {
    severity: "warning",
    rule: "plancast knows the outcome of every earlier create.",
    cause: "An earlier run ended before plancast knew whether the service created a post.",
    fix: "Wait and plan again. Or check the service, then use `plancast resolve`.",
  },
  "plan/due-before-turn": {
    severity: "warning",
    rule: "plancast can create every post before it is due.",
    cause: "The rate limit does not allow enough requests before the posts are due.",
    fix: "Apply earlier, or move posts to a later time.",
  },
  "plan/cancels-withheld": {
    severity: "warning",
    rule: "plancast cancels a post only if it has checked every place where the row may be.",
    cause: "Rows seem to be gone, but this run reads only a part of the calendars.",
    fix: "Run without `--only`, or give the rows ids.",
  },
  "plan/rows-left-out": {
    severity: "warning",
    rule: "Each row is valid.",
    cause: "You ran the command with `--only-valid`, and some rows have errors.",
    fix: "Fix the rows. Until then, plancast neither schedules them nor changes their posts.",
  },
  "plan/not-as-recorded": {
    severity: "warning",
    rule: "Nobody has changed a post on the service since plancast scheduled it.",
    cause:
      "Somebody edited the post on the service. Or somebody edited the lockfile, and it names a post of another project. Or, in CI, only the journal of an interrupted run names the post. The journal may come from a cache, where somebody else could have written it.",
    fix: "Look at the post. If it is not yours, remove its entry from the lockfile.",
  },
  "plan/accounts-unknown": {
    severity: "warning",
    rule: "The lockfile says which accounts its posts are on.",
    cause:
      "Somebody removed the list of accounts from the lockfile, or an older plancast wrote the lockfile.",
    fix: "Check the history of the lockfile: did somebody remove `accounts`? If the accounts in the warning are yours, run apply: it records them. In CI, name them in PLANCAST_ACCOUNTS.",
  },
  "plan/held": {
    severity: "warning",
    rule: "No hold withholds a planned post.",
    cause: "Somebody ran `plancast hold`, or merged a hold in `plancast.holds.yaml`.",
    fix: "Read the reason. When the posts may go out again, run `plancast release`.",
  },
  "plan/released": {
    severity: "warning",
    rule: "A pull request ends no hold.",
    cause:
      "The pull request releases a hold, or removes it from `plancast.holds.yaml`. Or it adds ids of posts there, although no hold withholds their rows.",
    fix: "Merge it only if the posts may go out. The plan shows each post that apply then schedules.",
  },
  "plan/passed-while-held": {
    severity: "warning",
    rule: "No post was due while it was held.",
    cause: "A hold withheld the post at its time. plancast never publishes it late by surprise.",
    fix: "To publish it after all, give its row a new time. Otherwise, mark the row as skip.",
  },
  "hold/unreadable": {
    rule: "plancast can read each line of `plancast.holds.yaml`.",
    cause: "Somebody edited the file by hand, or git left conflict markers in it.",
    fix: "Correct the line, or remove it if the posts may go out. Of two versions, keep the lines of both.",
  },
  "hold/unknown-column": {
    rule: "The conditions of a hold name columns that a calendar has.",
    cause: "Somebody renamed the column. Without the error, the held posts would go out.",
    fix: "Give the column its old name back, or correct the hold in `plancast.holds.yaml`.",
  },
  "hold/not-cancelled": {
    rule: "A row that somebody stopped in a sheet has no scheduled post.",
    cause:
      "The service refused to cancel a post, or could not be reached. The hold counts, so nothing new goes out.",
    fix: "Run the workflow again. If it fails again, cancel the post on the service's own page.",
  },
  "hold/not-pushed": {
    rule: "A hold reaches the main branch, so that everybody obeys it.",
    cause: "git could not push `plancast.holds.yaml`: no network, no permission, or a protected branch.",
    fix: "The posts are cancelled, and this checkout obeys the hold. Commit and push the file, or open a pull request with it.",
  },
  "plan/setting-changed": {
    severity: "warning",
    rule: "A pull request changes no setting that sends posts elsewhere or otherwise, and no file that decides what CI runs.",
    cause:
      "The pull request changes `plancast.yaml`, a file that it extends, a workflow or action, the plancast of a package file, or the registry of packages.",
    fix: "Check the change. Read a workflow like code, because it has the keys. After the merge, a setting applies to all posts.",
  },
  "notify/settings": {
    rule: "Each channel of `notify:` can be opened.",
    cause: "The address of the mail server has another form, or the mails have no sender.",
    fix: "Correct the variable or the setting in the message.",
  },
  "notify/not-sent": {
    rule: "Each channel of `notify:` takes alerts.",
    cause: "The receiver is gone, refuses the message, or did not answer.",
    fix: "Check the address in its variable. The next `plancast watch` tries again.",
  },
  "notify/not-confirmed": {
    rule: "Mails with alerts go only to addresses that you confirmed.",
    cause:
      "A pull request or another checkout could name a stranger in `plancast.yaml`, and alerts show the texts of your posts.",
    fix: "Run `plancast watch` once on a terminal and answer yes. Or name the addresses in `PLANCAST_NOTIFY_TO`. The GitHub Action needs neither, because it reads the merged file.",
  },
  "ci/job": {
    rule: "`plancast ci` runs in a job of GitHub Actions or a compatible runner.",
    cause: "Somebody started it by hand, or the runner does not set the variables that GitHub sets.",
    fix: "Use `plancast plan` and `plancast apply`. `plancast ci` is only for the GitHub Action.",
  },
  "ci/input": {
    rule: "Each input of the GitHub Action has a value that action.yml allows.",
    cause:
      "An input under `with:` in the workflow has another value, or `projects` matches no folder with a `plancast.yaml`.",
    fix: "Use one of the values in the message, or correct the pattern.",
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
    rule: "The GitHub Action can comment on the pull request, make its preview, and publish the preview on GitHub Pages if `pages` is set.",
    cause:
      "A permission is missing in the workflow's `permissions:`, such as `pull-requests: write`. Or GitHub Pages does not publish the branch `gh-pages`, or everybody could read the page of a private repository.",
    fix: "Follow the message. The job's summary shows the plan in any case, and the page is an artifact of the run.",
  },
} as const;

/** Problems of the program, and of how it is called. */
export const PROGRAM_CODES = {
  "usage/arguments": {
    rule: "Arguments match the help of the command, or the types of the client.",
    cause:
      "A flag, a name or an option is mistyped or missing, or has a value that is not allowed. Or a script used the client after `close()`.",
    fix: "See `plancast COMMAND --help`, [the commands](commands.md) or [the client](../run/client.md). plancast sent nothing.",
  },
  "usage/not-found": {
    rule: "A name that you give a command exists in the project.",
    cause:
      "No row or pending create has this name, `plancast.yaml` has no account with it, or several rows have it. Or the row has no prompt. Often the name is mistyped, or plancast already knows the outcome of the post.",
    fix: "Copy the name from the list that the message names: the calendar, `plancast draft --dry-run`, `plancast resolve` or `plancast accounts list`.",
  },
  "internal/fault": {
    rule: "Every command ends without an unexpected error.",
    cause: "There is a bug in plancast.",
    fix: "Report it, with the output of `--verbose`. plancast saved what it did, so it is safe to run again.",
  },
} as const;

/** Problems of files and folders on this machine. */
export const DISK_CODES = {
  "disk/not-writable": {
    rule: "plancast can write the project's state.",
    cause: "The disk is full, or you have no permission to write to the folder.",
    fix: "Free some space or fix the permissions, then run again.",
  },
  "disk/state-tracked": {
    rule: "git does not track the project's folder `.plancast`.",
    cause:
      "Somebody committed files of that folder. It contains the state of one machine, and plancast does not trust state that comes with a checkout.",
    fix: "If you did not make these files, delete the folder. Then run `git rm -r --cached .plancast`, and add `.plancast/` to `.gitignore`.",
  },
  "disk/state-unsafe": {
    rule: "The project's folder `.plancast` contains only regular files and folders.",
    cause:
      "The folder is a symbolic link, or it contains a link, a pipe or a device. plancast did not make it.",
    fix: "Remove the file or folder in the message.",
  },
  "disk/git-unreadable": {
    rule: "git can answer: whether it tracks the folder `.plancast`, and what the project's remote has.",
    cause:
      "git is not installed, the repository is damaged or missing, it has no remote named `origin`, or the remote did not answer.",
    fix: "Install git, and make the repository readable. If this is a copied submodule or worktree, its file `.git` points to a missing repository: delete that file. For the remote, run the git command of the message to see why it fails.",
  },
  "disk/linked": {
    rule: "plancast does not read a calendar or write a file through a symbolic link in a checkout.",
    cause:
      "The file, or a folder above it, is a symbolic link. plancast does not skip a linked calendar, because that would cancel its posts.",
    fix: "Replace the link with the file or folder itself, or name another file.",
  },
  "disk/outside": {
    rule: "A file that `plancast.yaml` or a row names is in the project, but not in `.git` or `.plancast`.",
    cause:
      "A path, or a symbolic link, leads out of the project, or into `.git` or `.plancast`. Or, with `service: { url: repository }`, a row names the web address of a picture.",
    fix: "Copy the file itself into the project and name its path, or name another one.",
  },
  "disk/unreadable": {
    rule: "plancast can read each file of the project, and each folder that may contain calendars.",
    cause:
      "The file does not exist, is a folder or a device, or you have no permission to read it. Or `plancast.yaml` is not UTF-8. plancast does not leave out an unreadable folder, because that would cancel the posts of its calendars.",
    fix: "Check its name and permissions. Save `plancast.yaml` as UTF-8.",
  },
  "disk/state-invalid": {
    rule: "The files under `.plancast`, and the store of the embedded service, are exactly as plancast wrote them.",
    cause:
      "Somebody edited or damaged the file in the message, or another program or a newer plancast wrote it.",
    fix: "Restore it from a backup, or use the version that wrote it. Otherwise, move the file away: plancast then asks the service about the posts again. To start the embedded service empty, move the folder `.plancast/embedded` away. After the path of `plancast listen` is new, register it with `plancast webhooks add`.",
  },
} as const;
