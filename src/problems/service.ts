/** Problems of the service and the connection to it. */

import type { ProblemEntry } from "./problem-entry.ts";

export const SERVICE_CODES = {
  "service/not-configured": {
    severity: "error",
    rule: "The project names a service, or `embedded`.",
    cause: "The project names no service.",
    fix: "Set `service: { url: https://… }`, or `embedded` to try things out.",
  },
  "service/address": {
    severity: "error",
    rule: "The service's address is an https URL without key, query or fragment.",
    cause: "The address is no URL, is plain http, or holds a key.",
    fix: "Write the address alone; the key goes into PLANCAST_API_KEY.",
  },
  "service/no-key": {
    severity: "error",
    rule: "There is a key for the service.",
    cause: "The environment variable is not set where the command runs.",
    fix: "Set PLANCAST_API_KEY, or name a file with `--api-key-file`. In CI: a secret.",
  },
  "service/key": {
    severity: "error",
    rule: "A key is one line of printable characters.",
    cause: "The key was copied with a line end, a blank, or half.",
    fix: "Copy it again.",
  },
  "service/id": {
    severity: "error",
    rule: "An id of the service is one printable word.",
    cause: "What is given as an id holds blanks or other characters that no id has.",
    fix: "Copy the id from a list of the service.",
  },
  "service/not-found": {
    severity: "error",
    rule: "What is named is on the service.",
    cause: "The service has no such record; it may have been deleted.",
    fix: "Look it up in `plancast posts list --status all` or `plancast platforms list`.",
  },
  "service/unreachable": {
    severity: "error",
    rule: "The service can be reached.",
    cause: "There is no network, a wrong address, or the service is down.",
    fix: "Check `service.url` and the network; then run again. Nothing was changed.",
  },
  "service/redirect": {
    severity: "error",
    rule: "The service does not send the key elsewhere.",
    cause: "The service answers that it is elsewhere, and the key must not go there by itself.",
    fix: "Set `service.url` to the new address.",
  },
  "service/refused": {
    severity: "error",
    rule: "The service accepts the request.",
    cause: "The service did not accept a request; its own words stand in the message.",
    fix: "Do what it says; check that `service.url` is the publishing service.",
  },
  "service/unauthorized": {
    severity: "error",
    rule: "The service accepts the key.",
    cause: "The key is wrong, or was revoked.",
    fix: "Put a valid key into PLANCAST_API_KEY.",
  },
  "service/forbidden": {
    severity: "error",
    rule: "The key may do what is asked.",
    cause: "The key lacks a right: to read for a plan, to write for an apply.",
    fix: "Make a key with the scope that is needed.",
  },
  "service/rate-limited": {
    severity: "error",
    rule: "The service takes requests within a sensible time.",
    cause: "The service asks to wait longer than is sensible for a run.",
    fix: "Run again later.",
  },
  "service/unreadable": {
    severity: "error",
    rule: "The service's answers can be understood.",
    cause:
      "What answers is another program than the publishing service, or answers in a shape that is not understood.",
    fix: "Check `service.url`.",
  },
  "service/list-not-whole": {
    severity: "error",
    rule: "The list of scheduled posts can be shown whole.",
    cause:
      "It cannot be proved that a list of posts has no further page. With half a list, posts would be made twice.",
    fix: "`plancast doctor` says what to write under `service.shape` where pages are told in words of the service's own. If you know the largest page: `service: { list_limit: N }`.",
  },
  "service/not-comparable": {
    severity: "error",
    rule: "Posts can be compared, or the lockfile knows them.",
    cause: "The service's list tells nothing of its posts, and the lockfile is not there.",
    fix: "Restore `plancast.lock.json` from git.",
  },
  "service/unknown-status": {
    severity: "error",
    rule: "The state of an owned post is a known one.",
    cause: "The service knows a state of posts that plancast does not.",
    fix: "Look at the post on the service, then run again.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const SHARE_CODES = {
  "share/address": {
    severity: "error",
    rule: "The address of Redis is a redis:// or rediss:// URL without query or fragment.",
    cause: "`service.share` or PLANCAST_REDIS_URL is no address of a Redis.",
    fix: "Write it like `redis://redis.example.com:6379`.",
  },
  "share/unreachable": {
    severity: "error",
    rule: "Redis, where it is named, can be reached.",
    cause: "Redis is down, or the address or password is wrong.",
    fix: "See that it is up; then run again.",
  },
  "share/refused": {
    severity: "error",
    rule: "Redis does what is asked of it.",
    cause: "Redis is too old, or its user may not run scripts.",
    fix: "Use Redis 5 or later, with the right to run scripts and to subscribe.",
  },
  "share/lost": {
    severity: "error",
    rule: "Redis answers as long as a run goes on.",
    cause: "Redis stopped answering during a run.",
    fix: "See that it is up, then run again: what was done stays done.",
  },
  "share/lock-lost": {
    severity: "error",
    rule: "A run keeps its lock in Redis to its end.",
    cause: "Redis was restarted without its memory, or the run stood still too long.",
    fix: "Run again.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const EMBEDDED_CODES = {
  "embedded/in-use": {
    severity: "error",
    rule: "One process at a time writes to the embedded service's store.",
    cause: "Another plancast has the store of the embedded service open.",
    fix: "Wait until it ends, or stop it.",
  },
  "embedded/store-invalid": {
    severity: "error",
    rule: "The embedded service's store is as plancast wrote it.",
    cause: "The store was edited, damaged, or written by a newer plancast.",
    fix: "Restore it; or move the folder `.plancast/embedded` away to start empty.",
  },
  "embedded/address": {
    severity: "error",
    rule: "The embedded service can listen at its address.",
    cause: "The port is taken, or may not be used.",
    fix: "Name another with `--port`, or `--port 0` for any that is free.",
  },
} as const satisfies Record<string, ProblemEntry>;

export const CLIENT_CODES = {
  "client/arguments": {
    severity: "error",
    rule: "The client is called as its types say.",
    cause: "A script called the client in another way than its types say.",
    fix: "Call it as [its types](../client.md) say; nothing was sent.",
  },
  "client/closed": {
    severity: "error",
    rule: "A client is used before it is closed.",
    cause: "A script used the client after `close()`.",
    fix: "Close it last.",
  },
} as const satisfies Record<string, ProblemEntry>;
