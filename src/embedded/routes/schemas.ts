/**
 * The requests and answers of the endpoints, as zod schemas: they check requests, type the handlers and describe both
 * at /openapi.json. Unknown fields are refused, because a test double that ignores a misspelt field would let a wrong
 * test pass.
 */

import { z } from "zod";
import { type ExtraPart, MAX_REPLIES } from "../../model/extras.ts";
import { ERROR_CODES, EVENT_KINDS } from "../../model/service-interface.ts";
import { parseUrl } from "../../model/address.ts";
import { durationSchema } from "../../settings/limits.ts";
import { storedMedia, storedPost, storedRun, storedWebhook } from "../store/records.ts";
import { POST_STATUSES } from "../store/store-index.ts";

export const MEDIA_TYPES = storedMedia.shape.type.options;

const postResult = z
  .strictObject({
    platform: z.string(),
    status: z
      .enum(["published", "failed", "scheduled"])
      .describe("`scheduled`: an attempt failed, and another one may succeed."),
    url: z.url().optional().describe("Address that shows what the platform would get."),
    note: z
      .string()
      .optional()
      .describe("Why it is not published yet, or what readers see differently than the text says it."),
    error: z
      .strictObject({
        code: z.enum([...ERROR_CODES, "expired"]).describe("`expired`: it was not published in time."),
        message: z.string(),
      })
      .optional(),
  })
  .meta({ id: "PostResult" });

export const postAnswer = z
  .strictObject({
    id: storedPost.shape.id,
    status: z.enum(POST_STATUSES).describe("`failed` if it failed on at least one platform."),
    ...storedPost.omit({ id: true, accounts: true, publications: true }).shape,
    published_at: storedPost.shape.published_at.describe("When the service published it."),
    results: z.array(postResult).optional().describe("What happened on each platform, after its time."),
  })
  .meta({ id: "Post" });

export type PostAnswer = z.infer<typeof postAnswer>;

export const postPage = pageSchema(postAnswer).meta({ id: "PostList" });

export const mediaAnswer = z
  .strictObject({
    id: z.string(),
    url: z.url().describe("Address of the file. Needs a key."),
    ...storedMedia.omit({ id: true, sha256: true, used_until: true }).shape,
  })
  .meta({ id: "Media" });

export const mediaPage = pageSchema(mediaAnswer).meta({ id: "MediaList" });

export const platformAnswer = z
  .strictObject({
    id: z.string(),
    platform: z.string().describe("Identifier to use in posts."),
    name: z.string(),
    connected: z.boolean(),
  })
  .meta({ id: "Platform" });

export const platformList = pageSchema(platformAnswer).meta({ id: "PlatformList" });

export const aiTextAnswer = z
  .strictObject({
    content: z.string().describe("Text for the content of a post."),
    platform: z.string(),
    tone: z.string(),
  })
  .meta({ id: "AiText" });

const automationAnswer = z
  .strictObject({ id: z.string(), name: z.string(), description: z.string() })
  .meta({ id: "Automation" });

export const automationList = pageSchema(automationAnswer).meta({ id: "AutomationList" });

export const runAnswer = storedRun
  .extend({
    result: storedRun.shape.result.describe("Result of the automation."),
    error: storedRun.shape.error.describe("Why it failed."),
  })
  .meta({ id: "AutomationRun" });

export const webhookAnswer = storedWebhook.extend({ url: z.url() }).meta({ id: "Webhook" });

export const errorAnswer = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      retry_after: z.int().min(1).optional().describe("Seconds to wait; only with `rate_limit_exceeded`."),
    }),
  })
  .meta({ id: "Error" });

function pageSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .describe("Send this value as `cursor` to get the next page. It is null on the last page."),
  });
}

/** Longest text of a post, in UTF-16 units. */
const MAX_CONTENT = 100_000;
/** Longest description of a medium, in UTF-16 units. */
const MAX_ALT = 10_000;
const MAX_ITEMS = 100;
const DEFAULT_LIMIT = 50;
const MAX_PROMPT = 4_000;
const MAX_TONE = 50;
/** Longest address, in UTF-16 units. */
const MAX_ADDRESS = 2_000;
/** Longest side of a generated picture, px: larger ones would take seconds. */
const MAX_IMAGE_SIDE = 2_048;
/** Digits of a limit. Values above the largest page are lowered to it. */
const LIMIT_PATTERN = /^[1-9]\d{0,8}$/;

const UTC_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The message for an invalid part. If it is missing, the text says so. */
function requiredMessage(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? "is missing" : what) };
}

const textField = z.string(requiredMessage("must be a text"));
const OBJECT_MESSAGE = "must be an object";

export const pageQuery = z.strictObject({
  limit: z
    .preprocess(
      (text) => (typeof text === "string" && LIMIT_PATTERN.test(text) ? Number(text) : text),
      z.int("must be a whole number from 1").min(1),
    )
    .default(DEFAULT_LIMIT)
    .meta({
      description: "Items per page. A page never contains more than 1000.",
      // zod drops the default of a transformed value.
      override: { default: DEFAULT_LIMIT },
    }),
  cursor: z.string().optional().describe("The `next_cursor` of the previous page."),
});

export type PageQuery = z.infer<typeof pageQuery>;

export const postsQuery = pageQuery.extend({
  status: z
    .enum(POST_STATUSES, `must be one of ${POST_STATUSES.join(", ")}`)
    .optional()
    .describe("Only posts with this status."),
});

export const mediaQuery = pageQuery.extend({
  type: z
    .enum(MEDIA_TYPES, `must be one of ${MEDIA_TYPES.join(", ")}`)
    .optional()
    .describe("Only media of this type."),
});

const contentField = textField.max(MAX_CONTENT, `must not exceed ${MAX_CONTENT} characters`);

const timeField = z
  .string(requiredMessage("must be a time in the form YYYY-MM-DDTHH:MM:SSZ"))
  .refine(isUtcTime, "must be a time in the form YYYY-MM-DDTHH:MM:SSZ")
  .meta({ format: "date-time", pattern: UTC_PATTERN.source });

/** Choices of a poll. Servers allow fewer. */
const MAX_CHOICES = 20;

/** Not in the documented interface. A client that does not send them never receives them. */
const newExtras = {
  alt: z
    .array(textField.max(MAX_ALT, `must not exceed ${MAX_ALT} characters`), "must be a list of texts")
    .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} texts`)
    .optional()
    .describe(
      "Descriptions of the media, in the same order. Use an empty text for an item without a description.",
    ),
  thread: z
    .array(contentField, "must be a list of texts")
    .max(MAX_REPLIES, `must not have more than ${MAX_REPLIES} texts`)
    .optional()
    .describe("Texts that follow the post as replies, in order."),
  thread_media: z
    .array(z.int().min(0), "must be a list of numbers")
    .max(MAX_REPLIES, `must not have more than ${MAX_REPLIES} numbers`)
    .optional()
    .describe(
      "How many of the media belong to each text of the thread, in order. They are the last of `media_ids`.",
    ),
  first_comment: contentField
    .optional()
    .describe("A comment of the account right after the post and its thread."),
  reply_to: textField.optional().describe("Address of the post that this one answers."),
  poll: z
    .array(textField, "must be a list of texts")
    .max(MAX_CHOICES, `must not have more than ${MAX_CHOICES} choices`)
    .optional()
    .describe("The choices of a poll. The text is the question."),
  poll_length: durationSchema.optional().describe("How long the poll runs: `1d`."),
  poll_multiple: z.literal("yes").optional().describe("If a person may choose several answers."),
  quote: textField.optional().describe("Address of the post that this one quotes."),
  expires: timeField
    .optional()
    .describe("From this time on, the post is not published any more. Must be later than `scheduled_at`."),
  options: z
    .array(textField, "must be a list of texts")
    .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} options`)
    .optional()
    .describe("Options of single platforms, such as `mastodon.visibility: unlisted`."),
} satisfies Record<ExtraPart, z.ZodType>;

export const newPost = z
  .strictObject(
    {
      content: contentField.default("").describe("The text of the post. Optional if there are media."),
      platforms: z
        .array(textField, requiredMessage("must be a list of platforms"))
        .min(1, "must name at least one platform")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} platforms`)
        .describe("Identifiers of connected platforms."),
      scheduled_at: timeField.describe("When to publish the post, in UTC. Must be in the future."),
      media_ids: z
        .array(textField, "must be a list of media ids")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} media`)
        .default([])
        .describe("Media items of the library, in the order of the post."),
      ...newExtras,
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "NewPost" });

export type NewPostBody = z.infer<typeof newPost>;

const prompt = textField
  .max(MAX_PROMPT, `must not exceed ${MAX_PROMPT} characters`)
  .refine((given) => given.trim() !== "", "must not be empty");

export const aiTextRequest = z
  .strictObject(
    {
      prompt: prompt.describe("Subject of the text."),
      platform: textField.describe("Identifier of its platform."),
      tone: textField
        .min(1, "must not be empty")
        .max(MAX_TONE, `must not exceed ${MAX_TONE} characters`)
        .default("casual"),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "AiTextRequest" });

export const aiImageRequest = z
  .strictObject(
    {
      prompt: prompt.describe("Subject of the picture."),
      size: textField
        .regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/, "must have the form 1024x1024")
        .refine(
          (size) => size.split("x").every((side) => Number(side) <= MAX_IMAGE_SIDE),
          `must not exceed ${MAX_IMAGE_SIDE} in width or height`,
        )
        .default("1024x1024")
        .describe(`Width and height in pixels, at most ${MAX_IMAGE_SIDE} each.`),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "AiImageRequest" });

export const triggerRequest = z
  .strictObject(
    { input: prompt.describe("What the automation works on, such as an address.") },
    OBJECT_MESSAGE,
  )
  .meta({ id: "TriggerRequest" });

export const webhookRequest = z
  .strictObject(
    {
      url: textField
        .max(MAX_ADDRESS, `must not exceed ${MAX_ADDRESS} characters`)
        .refine(isWebAddress, "must be an http or https address without a user name or password")
        .meta({ format: "uri" }),
      events: z
        .array(
          z.enum(EVENT_KINDS, `must be one of ${EVENT_KINDS.join(", ")}`),
          requiredMessage("must be a list of events"),
        )
        .min(1, "must name at least one event")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} events`),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "WebhookRequest" });

function isWebAddress(address: string): boolean {
  const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
  return url?.username === "" && url.password === "";
}

/** Whether the text is an existing moment, in the only form of the interface. */
function isUtcTime(text: string): boolean {
  if (!UTC_PATTERN.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text.replace("Z", ".000Z");
}
