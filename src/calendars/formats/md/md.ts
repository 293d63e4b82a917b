/** Files with one post as formats of calendars. */

import type { Format } from "../format.ts";

export const MARKDOWN = {
  holds: "text",
  extensions: ["md"],
  isTable: false,
  isOnePost: true,
  read: async (...args) => (await import("./read-post-file.ts")).readMarkdown(...args),
  write: async (rows) => (await import("./write-post-file.ts")).writePostFile(rows),
  edit: async (...args) => (await import("./edit-post-file.ts")).editPostFile(...args),
} as const satisfies Format;

export const TWEET = {
  holds: "text",
  extensions: ["tweet"],
  isTable: false,
  isOnePost: true,
  read: async (...args) => (await import("./read-post-file.ts")).readTweet(...args),
  edit: MARKDOWN.edit,
} as const satisfies Format;
