/** Problems of the service, and of the files that runs keep: lockfile, journal, locks. */
export const SERVICE_CODES = {
  "service/not-configured": {
    rule: "`plancast.yaml` or PLANCAST_BASE_URL names a service.",
    cause: "Neither of them names a service.",
    fix: "Set `service: { url: https://… }`, or `embedded` to try plancast.",
  },
  "service/one-address": {
    rule: "With `--all`, and with the Action's input `projects`, each project names its own service.",
    cause:
      "PLANCAST_BASE_URL is set. It would send the posts and the key of each project to the same address.",
    fix: "Unset it, set `service.url` in each `plancast.yaml`, and confirm the addresses with `PLANCAST_TRUSTED_ORIGINS`. See [several projects](../run/several-projects.md).",
  },
  "service/address": {
    rule: "The address of a service, of an account's server or of a language model is an https URL without a user name, key, query or fragment. On this machine, http is allowed. PLANCAST_TRUSTED_ORIGINS and `--trust-url` name addresses and variables.",
    cause:
      "The address is not a URL, is plain http, or contains a user name or a key. Or an entry of PLANCAST_TRUSTED_ORIGINS is not an address followed by `=` and the name of a variable in capitals.",
    fix: "Write only the address, such as `https://api.example.com/v1`. A key belongs in the environment: PLANCAST_API_KEY, or the variable that `ai.key_env` or `url_env` names. In PLANCAST_TRUSTED_ORIGINS, write `https://api.example.com=PLANCAST_API_KEY`, with commas between entries.",
  },
  "service/no-key": {
    rule: "plancast has the secret of each service, account and bucket, as one line of printable characters.",
    cause:
      "The environment variable is not set where the command runs, or its value was copied incompletely, or with a line end or a space. Or a file with the secret cannot be read or is empty.",
    fix: "Set the variable in the message: PLANCAST_API_KEY (or the variable in `service.key_env`), the one that `accounts:` names, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of a bucket. Or name a file: with `--api-key-file`, or for an account with the same variable and `_FILE` at its end. In CI, use a secret.",
  },
  "service/url-not-confirmed": {
    rule: "plancast sends a key, or what a language model gets, only to an address that you confirmed. Outside CI, a model on this machine needs no confirmation.",
    cause:
      "Only `plancast.yaml` names the address, or the variable of the key. Anybody who can change that file could send your key, prompts and pictures elsewhere. Or PLANCAST_TRUSTED_ORIGINS names the address for another variable.",
    fix: "Check that this is the right address. Then set PLANCAST_BASE_URL to that of the service, pass `--trust-url`, add `origin=VARIABLE` to PLANCAST_TRUSTED_ORIGINS, or run the command on a terminal and confirm. For a model without a key, name any variable, such as `NO_KEY`. In CI, only the job's own settings count.",
  },
  "service/not-found": {
    rule: "The service has the record, post or media that you or a row name, and its id is one printable word.",
    cause: "The id is mistyped, somebody deleted the record, or the post belongs to another row.",
    fix: "Copy the id from a list of the service, such as `plancast posts list --status all`, `plancast platforms list` or `plancast media list`. Instead of a media id, a row can name the file itself.",
  },
  "service/unreachable": {
    rule: "plancast can reach the service and the server of the language model, in the form that they document.",
    cause:
      "There is no network, the address is wrong, or the server is down. Or a proxy or another program answers for the model, or its server redirects to another host, where plancast sends no key and no prompts.",
    fix: "Check the address in the message (`service.url` or `ai.url`) and the network, then run again. `ai.url` is the part of the address before `/chat/completions`.",
  },
  "service/redirect": {
    rule: "The service does not redirect to another address.",
    cause:
      "The service redirects to another address, and plancast does not send the key there without your consent.",
    fix: "Set `service.url` to the new address.",
  },
  "service/refused": {
    rule: "The service accepts the request.",
    cause: "The service refused a request. The message shows its answer.",
    fix: "Do what the answer says. Check that `service.url` is the publishing service.",
  },
  "service/unauthorized": {
    rule: "The service, and the server of the language model, accept the key.",
    cause:
      "The key is wrong, has expired or was revoked, or has no access to the model. Or the variable that `ai.key_env` names is not set where plancast runs.",
    fix: "Put a valid key into PLANCAST_API_KEY, or into the variable that `service.key_env` or `ai.key_env` names. If the model runs on this machine and needs no key, remove `ai.key_env`.",
  },
  "service/forbidden": {
    rule: "The key has permission for the request.",
    cause: "The key lacks a scope: plan needs read, apply needs write.",
    fix: "Make a key with the scope that you need.",
  },
  "service/rate-limited": {
    rule: "The service, and the server of the language model, accept requests after a reasonable wait.",
    cause:
      "The server asks plancast to wait longer than a run should take. At a language model, your account perhaps has no money left.",
    fix: "Run again later, or check your account there.",
  },
  "service/unreadable": {
    rule: "plancast can read the service's answers.",
    cause: "Another program answers at this address, or the answers have a form that plancast does not know.",
    fix: "Check `service.url`.",
  },
  "service/list-not-whole": {
    rule: "plancast can read the complete list of scheduled posts.",
    cause:
      "The list of posts may have another page that plancast cannot find. With an incomplete list, plancast would create posts twice.",
    fix: "Run `plancast doctor`: it shows what to write under `service.shape` if the service names its next page in its own way. If you know its largest page, set `service: { list_limit: N }`.",
  },
  "service/not-comparable": {
    rule: "The service shows its posts, or the lockfile knows them.",
    cause: "The service's list does not show enough to compare posts, and there is no lockfile.",
    fix: "Restore `plancast.lock.json` from git.",
  },
  "service/other-clock": {
    rule: "The clocks of the service and this machine differ by at most 10 minutes.",
    cause: "The `Date` in the service's answers is far from this machine's time.",
    fix: "Set this machine's clock. `plancast doctor` shows the difference.",
  },
  "service/unknown-status": {
    rule: "plancast knows the status of each owned post.",
    cause:
      "The service uses a status that plancast does not know. For example, somebody made the post a draft. plancast leaves the post and its row as they are.",
    fix: "Schedule or delete the post on the service, then run again.",
  },
  "service/would-refuse": {
    rule: "The service accepts each text and file, by its own count.",
    cause:
      "The service counts characters in another way than the network, or does not take files of this type or size. Postiz counts an emoji as 2 or more, and a link in full.",
    fix: "Shorten the text, or export the file as the message says.",
  },
  "service/unseen-parts": {
    severity: "warning",
    rule: "A changed row has all parts of its post.",
    cause:
      "Somebody made the post on the service, or the lockfile was lost. The service does not show the media and replies of posts, so the row may lack them.",
    fix: "Open the post on the service, and add its media and replies to the row.",
  },
  "service/cannot-replace": {
    rule: "The service can replace the post of each changed row.",
    cause: "In Postiz, the post is in a group with other posts, and Postiz deletes only whole groups.",
    fix: "In Postiz, copy the other posts of the group and delete this post. Then plan again.",
  },
  "service/organization": {
    rule: "The key leads to the organization that `service.organization` names, or to a single one.",
    cause: "The key belongs to a person with several organizations in Buffer, or the name is mistyped.",
    fix: "Paste the line from the message into `plancast.yaml`.",
  },
  "service/not-stored": {
    severity: "warning",
    rule: "The service has a field for each part of a post, and publishes it on all networks of the post.",
    cause:
      "The service has no field for a column such as a title, or for a part of these posts, such as alt texts. Or it does not publish this part on one of their networks. The embedded service has a field for all parts.",
    fix: "Put into the text what you want to publish, or remove or ignore the column.",
  },
  "lockfile/not-confirmed": {
    severity: "warning",
    rule: "The lockfile says only what its base says, or what the service confirms.",
    cause:
      "Somebody applied from this branch and committed the lockfile. Or somebody edited the lockfile, so that a plan hides a change, or treats posts of others as the project's.",
    fix: "If nobody applied from this branch, restore the lockfile of the base branch.",
  },
  "lockfile/shared-post": {
    rule: "With several projects, each post belongs to one of them.",
    cause:
      "The lockfiles of two projects name the same post. Somebody copied a project, or edited a lockfile.",
    fix: "Remove the entry from the lockfile of the project that did not make the post. If you copied a project, run `plancast lockfile forget` in the copy.",
  },
  "lockfile/no-base": {
    severity: "warning",
    rule: "plancast can compare the lockfile with that of the base branch.",
    cause: "The job checked out only the newest commit.",
    fix: "Set `fetch-depth: 2` for `actions/checkout` in the workflow.",
  },
  "lockfile/missing": {
    severity: "warning",
    rule: "If you have applied from this folder before, the lockfile exists and knows the posts of the project.",
    cause:
      "Somebody deleted the lockfile, or it is not committed and this is another checkout. Without it, plancast does not know whether a row without a time is new or was published.",
    fix: "Restore it from git or a backup. If you cannot, compare the plan with the posts on the service before you apply, and write the dates into the rows that were published.",
  },
  "lockfile/invalid": {
    rule: "The lockfile, `plancast.schedule.json`, `plancast.published.json` and `plancast.approvals.json` are exactly as plancast wrote them.",
    cause: "Somebody edited the file, git left conflict markers in it, or it is cut off.",
    fix: "Restore it from git, or correct the line in the message. Without the lockfile, plancast no longer knows the posts of rows that you edited or deleted. To change a post, change its row and apply.",
  },
  "lockfile/conflict": {
    rule: "The lockfile and the two files of the schedule have the posts of both branches after a merge, and no conflict markers.",
    cause:
      "Two branches changed the file. git left its markers, or kept one branch's file because its merge driver failed.",
    fix: "Run `plancast lockfile merge`, then `git add` the file. See [resolve conflicts](../run/conflicts.md).",
  },
  "lockfile/cannot-merge": {
    rule: "`plancast lockfile merge` has a conflict to merge, and a merge of two lockfiles loses nothing.",
    cause:
      "Both sides changed the accounts or the service, or both have a pending create for the same row. Or there is no conflict: the merge is already finished, somebody already ran `git add`, or one side removed the lockfile.",
    fix: "Do what the message says. If the merge is not finished, run `git checkout --merge -- plancast.lock.json` first. See [resolve conflicts](../run/conflicts.md#if-plancast-cannot-merge-them).",
  },
  "lockfile/other-service": {
    rule: "The lockfile belongs to the configured service.",
    cause: "The lockfile belongs to a service at another address.",
    fix: "Set the address back. To start fresh on the other service, run `plancast lockfile forget`. To use both, name another lockfile with `lockfile:`.",
  },
  "lockfile/other-account": {
    rule: "The key has access to the accounts in the lockfile.",
    cause:
      "None of the accounts of the last apply is connected any more, or the service no longer shows their ids. The key belongs to another customer or may not read `GET /v1/platforms`, or the accounts were replaced.",
    fix: "Set the right key. If the accounts really changed, or the service shows no ids any more, run `plancast lockfile accept-account`.",
  },
  "lockfile/no-accounts": {
    rule: "At least one account is connected, and the service shows its id.",
    cause: "No account is connected, or `GET /v1/platforms` shows no ids of accounts.",
    fix: "Connect an account in the service's settings. If the service shows no ids, do nothing: plancast then compares no accounts.",
  },
  "journal/invalid": {
    rule: "The journal is exactly as plancast wrote it.",
    cause: "The journal of an interrupted run was edited or damaged.",
    fix: "Restore it. Or check the posts on the service, then move the journal away.",
  },
  "journal/other-service": {
    rule: "An interrupted run is finished before you apply to another service.",
    cause: "A run on another service was interrupted.",
    fix: "First, apply to that service once more.",
  },
  "store/moved": {
    rule: "A project uses one store: files on one machine, or a database.",
    cause: "`plancast store copy` copied the posts to another store, or was cut off.",
    fix: "Use the other store: set PLANCAST_DATABASE_URL, or remove it. If the copy was cut off, run `plancast store copy` again.",
  },
  "store/not-empty": {
    rule: "`plancast store copy` copies to an empty store, or to one that the project has left.",
    cause: "The other store has records, so its posts would be mixed with those of this one.",
    fix: "Check which store has the posts that count. If it is the other one, use it. Otherwise, choose an empty database, or move the folder of the store away.",
  },
  "store/copy": {
    rule: "`plancast store copy` copies everything, while no post is being sent.",
    cause:
      "The bucket cannot be used, PLANCAST_MEDIA_URL is not set, or a request to a network takes very long.",
    fix: "Do what the message says, then run the same command again. It goes on where it was cut off. Until then, nothing is published.",
  },
  "store/no-project": {
    rule: "In a database, each project has a name.",
    cause: "`plancast.yaml` has no `project:`, and one database holds many projects.",
    fix: "Add a line such as `project: garden` to `plancast.yaml`.",
  },
  "share/address": {
    rule: "The address of Redis is a redis:// or rediss:// URL without a query or fragment. The address of a database is a postgres:// URL, and that of a bucket an s3:// URL.",
    cause:
      "`service.share`, PLANCAST_REDIS_URL, PLANCAST_DATABASE_URL or PLANCAST_MEDIA_URL has another form.",
    fix: "Write it as the message shows it.",
  },
  "share/not-confirmed": {
    rule: "In CI, the job's settings name the Redis.",
    cause: "Only `service.share` in `plancast.yaml` names a Redis, and a pull request can change that file.",
    fix: "Set PLANCAST_REDIS_URL in the job (the Action's input `redis-url`).",
  },
  "share/unreachable": {
    rule: "plancast can use the shared Redis and the database during the whole run.",
    cause: "It is down, it stopped answering during the run, or its address, user or password is wrong.",
    fix: "Check that it is up, then run again. plancast does not repeat changes that are already made.",
  },
  "share/refused": {
    rule: "Redis accepts plancast's commands.",
    cause: "Redis is too old, or its user has no permission to run scripts.",
    fix: "Use Redis 5 or later, with permission to run scripts and to publish.",
  },
  "share/lock-lost": {
    rule: "A run keeps its lock in Redis until it ends.",
    cause: "Redis restarted without its data, or the run was paused for too long.",
    fix: "Run again.",
  },
  "run/locked": {
    rule: "Only one run at a time changes a project: apply, draft, and commands that cancel, upload or adopt. Only one process receives its events, or uses the embedded service's store.",
    cause: "Another plancast runs for this project, or was killed moments ago.",
    fix: "Wait until it ends, or stop it. Then run again. `plancast apply --lock-timeout 5m` waits automatically.",
  },
  "run/needs-terminal": {
    rule: "A person at a terminal confirms what cannot be undone, and answers questions. Some commands accept `--yes` instead.",
    cause:
      "The command needs your answer, but there is no terminal: it runs in CI, in a pipe, or was started by a program.",
    fix: "Read what it would do, then run it again with `--yes` if the message names it, or yourself in a terminal. Instead of `plancast accounts add`, you can add the account under `accounts:`, then run `plancast accounts check`.",
  },
  "run/port": {
    rule: "A command that serves a page or receives events can use its host and port.",
    cause:
      "Another program uses the port, this machine does not have that host, or you have no permission to use it.",
    fix: "Choose another `--port`, or `--port 0` for any free one. Or choose another `--host`.",
  },
  "run/newer-version": {
    rule: "This version of plancast can read what other versions wrote: the lockfile, the schedule, the database, and the answers of a client.",
    cause: "Another version of plancast wrote the file.",
    fix: "Install the version that your team uses. Make the page of a client again with `plancast preview --for-client`.",
  },
  "ai/not-configured": {
    rule: "`ai:` names a language model for what you ask: `ai.model` for alt texts, and `ai.image_model` for pictures.",
    cause:
      "`plancast.yaml` has no `ai:`, or a row has an image prompt and `ai:` names only a model for texts. The service cannot describe pictures.",
    fix: "Set `ai.url` and `ai.model`, or `ai.image_model`. Or remove the image prompt.",
  },
  "ai/picture": {
    rule: "A picture for an alt text is a PNG, JPEG, WebP or GIF file of at most 20 MB.",
    cause: "The file is larger or has another type, or its address cannot be downloaded.",
    fix: "Write this alt text yourself, or make the picture smaller.",
  },
  "ai/not-found": {
    rule: "The server has the model, at the address of `ai.url`.",
    cause: "The model's name is misspelt, the model is not installed, or the address lacks `/v1`.",
    fix: "Check `ai.model` and `ai.url`. With Ollama, `ollama list` shows the models, and `ollama pull` installs one.",
  },
  "ai/unusable": {
    rule: "The language model accepts the request, and writes a text that the post can have.",
    cause:
      "The model cannot see the picture, does not know a picture's size, or the prompt is too long. Or it refused the request, wrote too much even after plancast asked for a shorter text, or used a control character. Or a filter removed its answer.",
    fix: "Read the server's message. Change the prompt, for example to ask for a short text, and run again. Or use another model, or write the text yourself. For alt texts, set `ai.vision_model` to a model that reads pictures.",
  },
  "repository/not-used": {
    rule: "`plancast publish` publishes from a schedule in the repository.",
    cause: "`plancast.yaml` names another service, which publishes on its own.",
    fix: "Set `service: { url: repository }`, or use `plancast serve` with accounts.",
  },
  "repository/no-accounts": {
    rule: "A project that publishes without a service has accounts.",
    cause: "`plancast.yaml` has no `accounts:`.",
    fix: "Run `plancast accounts add`.",
  },
  "repository/no-branch": {
    rule: "`plancast publish` runs on a branch.",
    cause: "The checkout is a single commit or a tag, so there is no branch to push the results to.",
    fix: "Check out the branch, for example with `ref:` of actions/checkout.",
  },
  "repository/schedule-edited": {
    severity: "warning",
    rule: "A post is in the schedule as long as its row is, and no other post is.",
    cause:
      "Somebody added or removed a post in `plancast.schedule.json` or `plancast.published.json` by hand. Or the lockfile that names the post is lost.",
    fix: "Restore both files from git. To publish a post, write it as a row. To cancel it, delete its row or set the status to skip.",
  },
  "repository/push": {
    rule: "plancast can push the lockfile and the schedule to the repository.",
    cause:
      "The job may not push because `contents: write` is missing in the workflow's `permissions:`, the branch is protected, or somebody else pushed first each time.",
    fix: "Give the job `contents: write`. For a protected branch, check out with a deploy key or an app that may push, or use the Action's input `lockfile: pull-request`. Until the lockfile is pushed, do not edit or delete rows: the next run could not find their old posts.",
  },
  "embedded/taken-over": {
    rule: "While `plancast serve` runs, only it uses the embedded service's store.",
    cause:
      "Another command could not see the running service, for example outside of its container, and used the store itself. Or somebody removed the folder `.plancast`.",
    fix: "Start the service again. Run commands where they can see it, for example with `docker compose exec`.",
  },
} as const;
