/** Problems of the service, and of the files that runs keep: lockfile, journal, locks. */
export const SERVICE_CODES = {
  "plan/possible-older-version": {
    severity: "warning",
    rule: "No other post is scheduled where a new one goes.",
    cause: "A post that plancast did not make is scheduled for the same time on the same platform.",
    fix: "Look at it on the service; if it is an older version of the row, cancel it there.",
  },
  "plan/past-but-scheduled": {
    severity: "warning",
    rule: "No post of a past row is still to come.",
    cause: "The row's time is over and its post is still to come: the row was moved into the past.",
    fix: "Give the row a later time, or cancel the post with `plancast posts cancel ID`.",
  },
  "plan/unsettled": {
    severity: "warning",
    rule: "Every earlier create has a known outcome.",
    cause: "An earlier run ended before it knew whether a post had been created.",
    fix: "Wait and plan again; or look at the service and use `plancast resolve`.",
  },
  "plan/due-before-turn": {
    severity: "warning",
    rule: "The rate limit lets every post be created before it is due.",
    cause: "There are more posts to create than the rate limit allows before they are due.",
    fix: "Apply earlier, or move posts.",
  },
  "plan/cancels-withheld": {
    severity: "warning",
    rule: "Nothing is cancelled while the row may be where this run does not look.",
    cause: "Rows seem gone, but the run looks at a part of the calendars only.",
    fix: "Run without `--only`, or give rows ids.",
  },
  "service/not-configured": {
    rule: "The project names a service, or `embedded`.",
    cause: "The project names no service.",
    fix: "Set `service: { url: https://… }`, or `embedded` to try things out.",
  },
  "service/address": {
    rule: "The service's address is an https URL without key, query or fragment.",
    cause: "The address is no URL, is plain http, or holds a key.",
    fix: "Write the address alone; the key goes into PLANCAST_API_KEY.",
  },
  "service/no-key": {
    rule: "There is a key for the service.",
    cause: "The environment variable is not set where the command runs.",
    fix: "Set PLANCAST_API_KEY (or the variable of `service.key_env`), or name a file with `--api-key-file`. In CI: a secret.",
  },
  "service/key": {
    rule: "A key is one line of printable characters.",
    cause: "The key was copied with a line end, a blank, or half.",
    fix: "Copy it again.",
  },
  "service/url-not-confirmed": {
    rule: "The key goes only to an address that you confirmed.",
    cause:
      "Only `plancast.yaml` names the address, or the variable of the key, and anybody who can change that file could send your key elsewhere.",
    fix: "Check that this is the address of your service. Then set PLANCAST_BASE_URL to it, pass `--trust-url`, add `origin=VARIABLE` to PLANCAST_TRUSTED_ORIGINS, or run the command on a terminal and say yes. In CI, only the job's own settings count.",
  },
  "service/trusted-origins": {
    rule: "PLANCAST_TRUSTED_ORIGINS and `--trust-url` name origins and variables.",
    cause: "An entry is not an https address followed by `=` and the name of a variable in capitals.",
    fix: "Write `https://api.example.com=PLANCAST_API_KEY`; put a comma between several.",
  },
  "service/id": {
    rule: "An id of the service is one printable word.",
    cause: "What is given as an id holds blanks or other characters that no id has.",
    fix: "Copy the id from a list of the service.",
  },
  "service/not-found": {
    rule: "What is named is on the service.",
    cause: "The service has no such record; it may have been deleted.",
    fix: "Look it up in `plancast posts list --status all` or `plancast platforms list`.",
  },
  "service/unreachable": {
    rule: "The service can be reached.",
    cause: "There is no network, a wrong address, or the service is down.",
    fix: "Check `service.url` and the network; then run again. Nothing was changed.",
  },
  "service/redirect": {
    rule: "The service does not send the key elsewhere.",
    cause: "The service answers that it is elsewhere, and the key must not go there by itself.",
    fix: "Set `service.url` to the new address.",
  },
  "service/refused": {
    rule: "The service accepts the request.",
    cause: "The service did not accept a request; its own words stand in the message.",
    fix: "Do what it says; check that `service.url` is the publishing service.",
  },
  "service/unauthorized": {
    rule: "The service accepts the key.",
    cause: "The key is wrong, or was revoked.",
    fix: "Put a valid key into PLANCAST_API_KEY.",
  },
  "service/forbidden": {
    rule: "The key may do what is asked.",
    cause: "The key lacks a right: to read for a plan, to write for an apply.",
    fix: "Make a key with the scope that is needed.",
  },
  "service/rate-limited": {
    rule: "The service takes requests within a sensible time.",
    cause: "The service asks to wait longer than is sensible for a run.",
    fix: "Run again later.",
  },
  "service/unreadable": {
    rule: "The service's answers can be understood.",
    cause:
      "What answers is another program than the publishing service, or answers in a shape that is not understood.",
    fix: "Check `service.url`.",
  },
  "service/list-not-whole": {
    rule: "The list of scheduled posts can be shown whole.",
    cause:
      "It cannot be proved that a list of posts has no further page. With half a list, posts would be made twice.",
    fix: "`plancast doctor` shows what to write under `service.shape` if the service names its next page in its own way. If you know its largest page: `service: { list_limit: N }`.",
  },
  "service/not-comparable": {
    rule: "Posts can be compared, or the lockfile knows them.",
    cause: "The service's list tells nothing of its posts, and the lockfile is not there.",
    fix: "Restore `plancast.lock.json` from git.",
  },
  "service/other-clock": {
    rule: "The service's clock and this machine's differ by 10 minutes at most.",
    cause: "The `Date` of the service's answers is far from this machine's time.",
    fix: "Set this machine's clock; `plancast doctor` shows the difference.",
  },
  "service/unknown-status": {
    rule: "plancast knows the state of each owned post.",
    cause: "The service uses a status that plancast does not know.",
    fix: "Look at the post on the service, then run again.",
  },
  "lockfile/unreadable": {
    rule: "The lockfile can be read, and written.",
    cause: "The file may not be read.",
    fix: "Check its permissions.",
  },
  "lockfile/invalid": {
    rule: "The lockfile is as plancast wrote it.",
    cause: "The lockfile was edited, or cut short.",
    fix: "Restore it from git, or correct the line that the message names. Without it, plancast no longer knows the posts of rows that you edited or deleted.",
  },
  "lockfile/conflict": {
    rule: "The lockfile holds no conflict markers.",
    cause: "Two branches changed the lockfile, and git left its markers.",
    fix: "Keep the posts of both sides: [resolve conflicts](../run/conflicts.md) shows how.",
  },
  "lockfile/newer-version": {
    rule: "The lockfile's version is one that this plancast knows.",
    cause: "A newer plancast wrote the lockfile.",
    fix: "Install the version that your team uses.",
  },
  "lockfile/other-service": {
    rule: "The lockfile is of the service that is configured.",
    cause: "The lockfile is of another address than this run's.",
    fix: "Set the address back. To start fresh on the other service, run `plancast lockfile forget`. To use both, name another lockfile with `lockfile:`.",
  },
  "lockfile/other-account": {
    rule: "The key leads to the accounts that the lockfile knows.",
    cause:
      "None of the accounts that were connected at the last apply is connected any more: the key is another customer's, or the accounts were replaced.",
    fix: "Set the right key. If the accounts really changed, run `plancast lockfile accept-account`.",
  },
  "lockfile/no-accounts": {
    rule: "At least one account is connected, and the service shows its id.",
    cause: "No account is connected, or `GET /v1/platforms` gives no ids of accounts.",
    fix: "Connect an account in the service's settings. If the service shows no ids, do nothing: plancast then compares no accounts.",
  },
  "journal/invalid": {
    rule: "The journal is as plancast wrote it.",
    cause: "The journal of a run that was cut short was edited or damaged.",
    fix: "Restore it; or look at the service by hand, then move it away.",
  },
  "journal/other-service": {
    rule: "A run that was cut short is finished before one on another service.",
    cause: "A run on another service was cut short.",
    fix: "Apply for that service once more first.",
  },
  "listen/address": {
    rule: "The receiver of events can listen at its address.",
    cause: "The port is taken by another program, or the host is not this machine's.",
    fix: "Choose another `--port` or `--host`.",
  },
  "listen/path": {
    rule: "The kept path of the receiver is as plancast wrote it.",
    cause: "The file that keeps the secret path was edited or damaged.",
    fix: "Delete the file that the message names; then register the new address with `plancast webhooks add`.",
  },
  "listen/in-use": {
    rule: "One process at a time receives a project's events.",
    cause: "Another `plancast listen` of this project runs.",
    fix: "Stop that one first.",
  },
  "outcomes/invalid": {
    rule: "The record of what became of posts is as plancast wrote it.",
    cause: "The file under `.plancast/` was edited, or is of another program.",
    fix: "Move the file away: what it held is asked of the service again.",
  },
  "share/address": {
    rule: "The address of Redis is a redis:// or rediss:// URL without query or fragment.",
    cause: "`service.share` or PLANCAST_REDIS_URL is no address of a Redis.",
    fix: "Write it like `redis://redis.example.com:6379`.",
  },
  "share/not-confirmed": {
    rule: "In CI, the job's settings name the Redis.",
    cause: "Only `service.share` in `plancast.yaml` names a Redis, and a pull request can change that file.",
    fix: "Set PLANCAST_REDIS_URL in the job (the Action's input `redis-url`).",
  },
  "share/unreachable": {
    rule: "Redis, where it is named, can be reached.",
    cause: "Redis is down, or the address or password is wrong.",
    fix: "See that it is up; then run again.",
  },
  "share/refused": {
    rule: "Redis does what is asked of it.",
    cause: "Redis is too old, or its user may not run scripts.",
    fix: "Use Redis 5 or later, with the right to run scripts and to subscribe.",
  },
  "share/lost": {
    rule: "Redis answers as long as a run goes on.",
    cause: "Redis stopped answering during a run.",
    fix: "See that it is up, then run again: what was done stays done.",
  },
  "share/lock-lost": {
    rule: "A run keeps its lock in Redis to its end.",
    cause: "Redis was restarted without its memory, or the run stood still too long.",
    fix: "Run again.",
  },
  "run/needs-yes": {
    rule: "What cannot be taken back is confirmed, or --yes says so.",
    cause: "The command would ask, and there is no terminal: it runs in CI or in a pipe.",
    fix: "Say `--yes`.",
  },
  "run/locked": {
    rule: "One run at a time changes something in a project: apply, draft, and what cancels, uploads or adopts.",
    cause: "Another run is going on, or one was killed moments ago.",
    fix: "Wait until it has ended, then run again; `plancast apply --lock-timeout 5m` waits by itself.",
  },
  "embedded/in-use": {
    rule: "One process at a time writes to the embedded service's store.",
    cause: "Another plancast has the store of the embedded service open.",
    fix: "Wait until it ends, or stop it.",
  },
  "embedded/store-invalid": {
    rule: "The embedded service's store is as plancast wrote it.",
    cause: "The store was edited, damaged, or written by a newer plancast.",
    fix: "Restore it; or move the folder `.plancast/embedded` away to start empty.",
  },
  "embedded/address": {
    rule: "The embedded service can listen at its address.",
    cause: "The port is taken, or may not be used.",
    fix: "Name another with `--port`, or `--port 0` for any that is free.",
  },
} as const;
