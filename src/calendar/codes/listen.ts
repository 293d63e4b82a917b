import type { ProblemEntry } from "../code-entry.ts";

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
