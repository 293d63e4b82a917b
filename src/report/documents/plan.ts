/** `plan --format json`. */

import { z } from "zod";
import { campaign, count, mediaList, problems, series, slot, source, utcTime, version } from "./parts.ts";

const post = z
  .object({
    content: z.string().optional(),
    platforms: z.array(z.string()).optional(),
    scheduled_at: utcTime,
    media: mediaList.optional(),
    alt: z.array(z.string()).optional().describe("Alt texts, in the order of the media."),
    thread: z.array(z.string()).optional().describe("Texts that follow the post as replies."),
    first_comment: z.string().optional(),
    expires: utcTime.optional().describe("From this time on, the post must not be published."),
  })
  .describe("The post that apply sends. For a cancel: only the fields that the service shows.");

const change = z.object({
  action: z.enum(["create", "replace", "cancel", "adopt", "keep"]),
  key: z.string().describe("The id of the row, or a key that plancast made from its content."),
  source,
  post,
  campaign,
  slot,
  series,
  post_id: z.string().optional().describe("Id of the post on the service. Absent for a create."),
  fields: z.array(z.string()).optional().describe("For a replace: the fields that differ from the old post."),
  media_digest: z
    .string()
    .optional()
    .describe("Hash of the media of the row. Absent without media, and for a cancel."),
  reason: z.string().optional().describe("The reason for this change. Absent for a kept post."),
});

export const planSchema = z
  .object({
    version,
    hash: z.string().describe("`sha256:` and 64 digits. An empty text if problems stopped the plan."),
    summary: z.object({
      create: count,
      replace: count,
      cancel: count,
      adopt: count,
      keep: count,
      past: count,
      expired: count.describe("How many of the past rows have expired."),
      draft: count.describe("Number of draft and skipped rows."),
      unmanaged: count.describe("Number of scheduled posts that the project does not own."),
    }),
    guards: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .describe("The guards that stop apply until you allow the changes."),
    uploads: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: count })),
    changes: z
      .array(change)
      .describe("In the order in which apply makes them. With --verbose, kept posts follow."),
    problems,
    now: z.string().optional().describe("The value of --now."),
  })
  .describe("What `plancast plan --format json` prints.");
