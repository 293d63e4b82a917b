import type { CodeEntry } from "../code-entry.ts";

export const PLATFORM_CODES = {
  "platform/unknown": {
    severity: "error",
    rule: "A platform is one that the service knows.",
  },
  "platform/format": {
    severity: "error",
    rule: "A platform is a short name.",
  },
  "platform/account": {
    severity: "error",
    rule: "The project says which platform an account is.",
  },
  "platform/unchecked": {
    severity: "warning",
    rule: "The service's list of platforms can be read.",
  },
} as const satisfies Record<string, CodeEntry>;
