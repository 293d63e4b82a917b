/** `publish --format json`. */

import { z } from "zod";
import { count, failedSchema, utcTime, version } from "./parts.ts";

export const publishSchema = z
  .object({
    version,
    dry_run: z.boolean(),
    summary: z.object({
      published: count,
      due: count,
      waiting: count,
      failed: count,
      expired: count,
      unknown: count,
    }),
    results: z.array(
      z.object({
        post_id: z.string(),
        platform: z.string().describe("The account, such as `bluesky` or `mastodon/press`."),
        scheduled_at: utcTime,
        status: z
          .enum(["due", "published", "failed", "expired", "waiting", "unknown"])
          .describe(
            "`due`: not tried yet. `waiting`: a later run tries again. `expired`: not published in time, because its row has `expires`.",
          ),
        url: z.string().optional(),
        reason: z.string().optional(),
      }),
    ),
  })
  .describe("What `plancast publish --format json` prints.");

export const publishRunSchema = z.union([publishSchema, failedSchema]);
