/** `apply --format json`. */

import { z } from "zod";
import { count, version } from "./parts.ts";

/** How one request to change something ended. */
export const writeOutcomeSchema = z.object({
  status: z.enum(["done", "failed", "unknown", "not_started"]),
  code: z.string().optional().describe("Only if failed."),
  message: z.string().optional().describe("Only if failed or unknown."),
  answer: z.string().optional().describe("What the service answered. Only if unknown."),
});

/** How the start of an automation ended. */
export const triggerSchema = writeOutcomeSchema.extend({
  automation_id: z.string(),
  input: z.string(),
  run_id: z.string().optional(),
  run_status: z.string().optional(),
});

const automationSchema = triggerSchema.describe(
  "The automation that plancast.yaml names for after an apply. Only if something was applied.",
);

export const applySchema = z
  .object({
    version,
    summary: z.object({
      created: count,
      replaced: count,
      cancelled: count,
      adopted: count,
      uploaded: count.describe("Files."),
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
          post_id: z.string().optional().describe("Id of the current or cancelled post. Only if done."),
          code: writeOutcomeSchema.shape.code,
          message: writeOutcomeSchema.shape.message,
        }),
      )
      .describe("Empty if the run was refused before its first change."),
    requests: count.describe("Requests that were sent."),
    waited_ms: count.describe("How long the run waited for the rate limit, ms."),
    automation: automationSchema.optional(),
  })
  .describe("What `plancast apply --format json` prints.");
