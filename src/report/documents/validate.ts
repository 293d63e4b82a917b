/** `validate --format json`. */

import { z } from "zod";
import { count, problems, version } from "./parts.ts";

export const validateSchema = z
  .object({
    version,
    summary: z.object({
      calendars: count.describe("Calendar files that were read."),
      posts: count.describe("Ready rows, including those with problems."),
      draft: count.describe("Rows with the status draft or skip."),
      errors: count,
      warnings: count,
      unseen_addresses: count.optional().describe("Web addresses of media that were not checked."),
    }),
    problems,
  })
  .describe("What `plancast validate --format json` prints.");
