import type { ProblemEntry } from "../code-entry.ts";

export const PLATFORM_CODES = {
  "platform/unknown": {
    severity: "error",
    rule: "A platform is one that the service knows.",
    cause: "The platform is mistyped, or not connected to the account.",
    fix: "Take the name that is suggested; `plancast platforms list` shows what is connected. Give your own words a meaning with `platforms: { insta: instagram }`.",
  },
  "platform/format": {
    severity: "error",
    rule: "A platform is a short name.",
    cause: "The cell holds a sentence, or characters that no platform's name has.",
    fix: "Write names such as `linkedin, x`.",
  },
  "platform/account": {
    severity: "error",
    rule: "The project says which platform an account is.",
    cause: "The file names an account by its number or name.",
    fix: 'Say in the project file which platform it is: `platforms: { "4711": linkedin }`.',
  },
  "platform/unchecked": {
    severity: "warning",
    rule: "The service's list of platforms can be read.",
    cause: "The service does not give its list of platforms, or not to this key.",
    fix: "Nothing; the names are not checked.",
  },
} as const satisfies Record<string, ProblemEntry>;
