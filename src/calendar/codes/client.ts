import type { ProblemEntry } from "../code-entry.ts";

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
