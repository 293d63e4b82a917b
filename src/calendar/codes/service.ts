import type { ProblemEntry } from "../code-entry.ts";

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
