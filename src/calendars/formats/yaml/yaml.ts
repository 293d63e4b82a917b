/** YAML as a format of calendars. */

import type { Format } from "../format.ts";

export const YAML = {
  holds: "text",
  extensions: ["yaml", "yml"],
  isTable: false,
  isOnePost: false,
  read: async (...args) => (await import("./read-yaml.ts")).readYaml(...args),
  write: async (rows) => (await import("./write-yaml.ts")).writeYaml(rows),
  edit: async (...args) => (await import("./edit-yaml.ts")).editYaml(...args),
} as const satisfies Format;
