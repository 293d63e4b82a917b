/** `validate --format json`. */

import { z } from "zod";
import { count, problems, version } from "./parts.ts";

export const validateSchema = z
  .object({
    version,
    summary: z.object({
      calendars: count.describe("Calendar files that were read."),
      posts: count.describe("Posts of ready rows. A row with errors counts as one post."),
      upcoming: count.describe("Posts that are still due."),
      past: count.describe("Posts that were due, or are due too soon to be scheduled."),
      expired: count.describe("Past posts that have expired."),
      invalid: count.describe("Rows with errors. With --only-valid, the rows that it left out."),
      draft: count.describe("Rows with the status draft or skip."),
      skipped: count.describe("How many of these have the status skip."),
      filtered_out: count.describe("Rows that a filter leaves out."),
      errors: count,
      warnings: count,
      unseen_addresses: count.optional().describe("Web addresses of media that were not checked."),
    }),
    problems,
  })
  .describe("What `plancast validate --format json` prints.");
