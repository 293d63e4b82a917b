/** `validate --format json`. */

import { z } from "zod";
import { count, problems, version } from "./parts.ts";

export const validateSchema = z
  .object({
    version,
    summary: z.object({
      calendars: count.describe("Number of calendar files that plancast read."),
      posts: count.describe("Number of posts in ready rows. A row with errors counts as one post."),
      upcoming: count.describe("Number of posts that are not past."),
      past: count.describe("Number of posts whose time has passed, or comes too soon to schedule them."),
      expired: count.describe("How many of the past posts have expired."),
      invalid: count.describe(
        "Number of rows with errors. With --only-valid, plancast leaves these rows out.",
      ),
      draft: count.describe("Number of rows with the status draft or skip."),
      skipped: count.describe("How many of the draft rows have the status skip."),
      filtered_out: count.describe("Number of rows that a filter leaves out."),
      errors: count,
      warnings: count,
      unseen_addresses: count
        .optional()
        .describe("Number of media at web addresses that plancast did not check."),
    }),
    problems,
  })
  .describe("What `plancast validate --format json` prints.");
