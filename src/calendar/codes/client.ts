import type { CodeEntry } from "../code-entry.ts";

export const CLIENT_CODES = {
  "client/arguments": {
    severity: "error",
    rule: "The client is called as its types say.",
  },
  "client/closed": {
    severity: "error",
    rule: "A client is used before it is closed.",
  },
} as const satisfies Record<string, CodeEntry>;
