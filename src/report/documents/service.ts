/** The documents of the commands for single endpoints: what the service has, and single changes there. */

import { z } from "zod";
import { type DocumentOf, count, failedSchema, utcText, version, writeOutcomeSchema } from "./parts.ts";

const list = {
  version,
  whole: z.boolean().describe("False if the list may be incomplete."),
  doubt: z.string().optional().describe("Why the list may be incomplete, and what to do."),
};

const owner = z
  .object({
    key: z.string(),
    file: z.string(),
    id: z.string().optional().describe("The id of the row, if it has one."),
  })
  .optional()
  .describe("The row that owns the post. Absent if no row of this project owns it.");

const post = z.object({
  id: z.string(),
  status: z.string().optional().describe("The status, as the service names it."),
  content: z.string().optional(),
  platforms: z.array(z.string()).optional(),
  scheduled_at: utcText.optional(),
  media_ids: z.array(z.string()).optional(),
  row: owner,
});

const account = z.object({
  id: z.string().optional(),
  platform: z.string().optional(),
  name: z.string().optional(),
  disabled: z
    .literal(true)
    .optional()
    .describe("The service says that the account is disabled or has lost its connection."),
});

export const postsSchema = z
  .union([
    z.object({ ...list, posts: z.array(post) }).describe("`list`."),
    z
      .object({
        version,
        post,
        record: z.looseObject({}).describe("The post exactly as the service sent it."),
      })
      .describe("`show`."),
    z
      .object({
        version,
        outcome: writeOutcomeSchema.extend({
          post_id: z.string(),
          post: z
            .string()
            .optional()
            .describe("What happened to the post: `cancelled`, `already-gone` or `published`."),
          row: owner,
        }),
      })
      .describe("`cancel`."),
    failedSchema,
  ])
  .describe("What `plancast posts --format json` prints.");

const mediaItem = z.object({
  id: z.string(),
  type: z.string().optional(),
  url: z.string().optional(),
  path: z.string().optional().describe("The project's file that plancast uploaded."),
});

const upload = writeOutcomeSchema.extend({
  path: z.string(),
  sha256: z.string(),
  media_id: z.string().optional().describe("Id of the media item, if the status is `done`."),
  uploaded: z
    .boolean()
    .optional()
    .describe("True if plancast uploaded the file. False if the service already had it."),
});

const prune = z.object({
  version,
  summary: z.object({ pruned: count, in_use: count }),
  pruned: z.array(z.object({ sha256: z.string(), id: z.string(), path: z.string() })),
});

export const mediaSchema = z
  .union([
    z
      .object({
        ...list,
        media: z.array(mediaItem),
      })
      .describe("`list`."),
    z
      .object({
        version,
        outcomes: z.array(upload),
      })
      .describe("`upload`."),
    prune.describe("`prune`."),
    failedSchema,
  ])
  .describe("What `plancast media --format json` prints.");

export const platformsSchema = z
  .union([
    z.object({ ...list, platforms: z.array(account) }).describe("`list`."),
    z.object({ version, outcome: writeOutcomeSchema.extend(account.shape) }).describe("`disconnect`."),
    failedSchema,
  ])
  .describe("What `plancast platforms --format json` prints.");

const automation = z.object({ id: z.string(), name: z.string().optional() });

/** How the start of an automation ended. */
export const triggerSchema = writeOutcomeSchema.extend({
  automation_id: z.string(),
  input: z.string(),
  run_id: z.string().optional(),
  run_status: z.string().optional(),
});

export const automationsSchema = z
  .union([
    z
      .object({
        ...list,
        automations: z.array(automation),
      })
      .describe("`list`."),
    z.object({ version, outcome: triggerSchema }).describe("`trigger`."),
    failedSchema,
  ])
  .describe("What `plancast automations --format json` prints.");

export const webhooksSchema = z
  .union([
    z.object({
      version,
      outcome: writeOutcomeSchema.extend({
        webhook_id: z.string().optional(),
        url: z.string(),
        events: z.array(z.string()),
      }),
    }),
    failedSchema,
  ])
  .describe("What `plancast webhooks --format json` prints.");

export type ListDocument = DocumentOf<z.ZodObject<typeof list>>;
export type RowDocument = DocumentOf<typeof owner>;
export type PostDocument = DocumentOf<typeof post>;
export type UploadDocument = DocumentOf<typeof upload>;
export type PruneDocument = DocumentOf<typeof prune>;
export type MediaDocument = DocumentOf<typeof mediaItem>;
export type ConnectedAccountDocument = DocumentOf<typeof account>;
export type AutomationDocument = DocumentOf<typeof automation>;
