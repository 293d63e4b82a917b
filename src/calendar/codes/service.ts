import type { CodeEntry } from "../code-entry.ts";

export const SERVICE_CODES = {
  "service/not-configured": {
    severity: "error",
    rule: "The project names a service, or `embedded`.",
  },
  "service/address": {
    severity: "error",
    rule: "The service's address is an https URL without key, query or fragment.",
  },
  "service/no-key": {
    severity: "error",
    rule: "There is a key for the service.",
  },
  "service/key": {
    severity: "error",
    rule: "A key is one line of printable characters.",
  },
  "service/id": {
    severity: "error",
    rule: "An id of the service is one printable word.",
  },
  "service/not-found": {
    severity: "error",
    rule: "What is named is on the service.",
  },
  "service/unreachable": {
    severity: "error",
    rule: "The service can be reached.",
  },
  "service/redirect": {
    severity: "error",
    rule: "The service does not send the key elsewhere.",
  },
  "service/refused": {
    severity: "error",
    rule: "The service accepts the request.",
  },
  "service/unauthorized": {
    severity: "error",
    rule: "The service accepts the key.",
  },
  "service/forbidden": {
    severity: "error",
    rule: "The key may do what is asked.",
  },
  "service/rate-limited": {
    severity: "error",
    rule: "The service takes requests within a sensible time.",
  },
  "service/unreadable": {
    severity: "error",
    rule: "The service's answers can be understood.",
  },
  "service/list-not-whole": {
    severity: "error",
    rule: "The list of scheduled posts can be shown whole.",
  },
  "service/not-comparable": {
    severity: "error",
    rule: "Posts can be compared, or the lockfile knows them.",
  },
  "service/unknown-status": {
    severity: "error",
    rule: "The state of an owned post is a known one.",
  },
} as const satisfies Record<string, CodeEntry>;
