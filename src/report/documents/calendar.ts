/** `calendar --format json`. */

import { z } from "zod";
import { campaign, mediaList, problems, series, slot, source, utcTime, version } from "./parts.ts";

export const calendarSchema = z
  .object({
    version,
    timezone: z
      .string()
      .optional()
      .describe("Time zone of the project. Absent if plancast cannot read plancast.yaml."),
    posts: z
      .array(
        z.object({
          key: z.string(),
          status: z.enum(["ready", "draft", "skip"]),
          source,
          campaign,
          slot,
          series,
          post: z.object({
            content: z.string(),
            platforms: z.array(z.string()),
            scheduled_at: utcTime,
            media: mediaList,
          }),
        }),
      )
      .describe("The earliest post first. Rows with errors are left out."),
    problems,
  })
  .describe("What `plancast calendar --format json` prints.");
