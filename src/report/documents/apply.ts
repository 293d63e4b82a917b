/** `apply --format json`. */

import { z } from "zod";
import { count, version } from "./parts.ts";

/** How one request to change something ended. */
export const writeOutcomeSchema = z.object({
  status: z.enum(["done", "failed", "unknown", "not_started"]),
  code: z.string().optional().describe("The error code, if the status is `failed`."),
  message: z.string().optional().describe("What went wrong, if the status is `failed` or `unknown`."),
  answer: z.string().optional().describe("What the service answered, if the status is `unknown`."),
});

/** How the start of an automation ended. */
export const triggerSchema = writeOutcomeSchema.extend({
  automation_id: z.string(),
  input: z.string(),
  run_id: z.string().optional(),
  run_status: z.string().optional(),
});

const automationSchema = triggerSchema.describe(
  "The automation that plancast.yaml triggers after an apply. Present only if a change was applied.",
);

export const applySchema = z
  .object({
    version,
    summary: z.object({
      created: count,
      replaced: count,
      cancelled: count,
      adopted: count,
      uploaded: count.describe("Number of uploaded files."),
      failed: count,
      unknown: count,
      not_started: count,
    }),
    outcomes: z
      .array(
        z.object({
          key: z.string(),
          action: z.enum(["create", "replace", "cancel", "adopt"]),
          status: writeOutcomeSchema.shape.status.describe(
            "`unknown`: plancast does not know whether the change was made. Run apply again.",
          ),
          post_id: z
            .string()
            .optional()
            .describe("Id of the row's current post, or of the cancelled one, if the status is `done`."),
          code: writeOutcomeSchema.shape.code,
          message: writeOutcomeSchema.shape.message,
        }),
      )
      .describe("Empty if plancast refused the run before the first change."),
    requests: count.describe("Number of requests that plancast sent."),
    waited_ms: count.describe("Milliseconds that the run waited for the rate limit."),
    automation: automationSchema.optional(),
  })
  .describe("What `plancast apply --format json` prints.");
