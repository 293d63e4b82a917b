/** `status --format json`. */

import { z } from "zod";
import { campaign, count, failedSchema, problems, source, utcTime, version } from "./parts.ts";

export const statusSchema = z
  .object({
    version,
    summary: z.object({
      scheduled: count,
      published: count,
      failed: count,
      expired: count,
      cancelled: count,
      unknown: count,
      not_applied: count,
      draft: count.describe("Number of draft and skipped rows."),
    }),
    rows: z
      .array(
        z.object({
          key: z.string().describe("The id of the row, or a key that plancast made from its content."),
          source,
          scheduled_at: utcTime,
          platforms: z.array(z.string()),
          status: z
            .enum(["scheduled", "published", "failed", "expired", "cancelled", "unknown", "not_applied"])
            .describe("`expired`: not published in time, because its row has `expires`."),
          post_id: z.string().optional(),
          results: z
            .array(
              z.object({
                platform: z.string(),
                status: z.enum(["published", "failed", "expired"]),
                url: z.string().optional().describe("Address of the published post."),
                reason: z.string().optional().describe("Why it failed."),
              }),
            )
            .describe("Present only if the service or its events show the networks."),
          published_at: utcTime.optional(),
          campaign,
          reason: z.string().optional().describe("An explanation of the status."),
          row: z
            .enum(["edited", "set_aside", "gone", "unreadable"])
            .optional()
            .describe("What happened to the row after its post was applied."),
        }),
      )
      .describe("The rows with posts, in the order in which the posts are due."),
    requests: count.describe("Number of requests that plancast sent."),
    written: z
      .array(z.object({ file: z.string(), rows: count.describe("Number of rows with new results.") }))
      .optional()
      .describe("The calendars into which --write wrote results."),
    problems,
  })
  .describe("What `plancast status --format json` prints.");

export const statusRunSchema = z.union([statusSchema, failedSchema]);
