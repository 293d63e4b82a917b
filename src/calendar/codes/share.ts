import type { ProblemEntry } from "../code-entry.ts";

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
